import type { Clock } from '../clock.js';
import type { TokenCredential } from './tokenResponse.js';
import { tokenPlace, type TokenHeaderOptions } from './tokenHeader.js';

/** A token that is refused later than this after its login may have expired. */
const FRESH_MS = 10_000;

type FreshTokenOptions = TokenHeaderOptions & { readonly refresh?: unknown };

/** The requests of the last sign-in, until the server accepts one. */
interface FreshToken {
  readonly accessToken: string;
  readonly expiresAt: number;
  sent: number;
  refused: number;
  /** True when a refusal costs no further refresh. */
  isFinal: boolean;
}

/**
 * Warns once when the server refuses (401) all first requests of a sign-in, after a refresh too, or refuses the refresh: then the
 * header is probably not the one that the server reads.
 */
export class FreshTokenCheck {
  readonly #header: TokenHeaderOptions;
  readonly #canRefresh: boolean;
  readonly #clock: Clock;
  #fresh: FreshToken | undefined;
  #hasWarned = false;

  constructor(options: FreshTokenOptions, clock: Clock) {
    this.#header = options;
    this.#clock = clock;
    this.#canRefresh = options.refresh !== undefined;
  }

  /** Call after each login. */
  onLogin({ accessToken, expiresAt = Infinity }: TokenCredential): void {
    const now = this.#clock.now();
    if (!this.#hasWarned)
      this.#fresh = {
        accessToken,
        expiresAt: Math.min(expiresAt, now + FRESH_MS),
        sent: 0,
        refused: 0,
        isFinal: !this.#canRefresh,
      };
  }

  /** Call when a request gets a token. */
  onSend(accessToken: string): void {
    if (!this.#fresh) return;
    this.#fresh.sent++;
    if (this.#fresh.accessToken !== accessToken) this.#fresh.isFinal = true;
  }

  /** Call for each response to a request of the session. */
  onResponse({ status }: Response): void {
    const fresh = this.#fresh;
    if (!fresh || fresh.sent === 0) return;
    if (status !== 401 || this.#clock.now() >= fresh.expiresAt) this.#fresh = undefined;
    else {
      fresh.refused++;
      this.#warnIfRefused();
    }
  }

  /** Call when the server refuses a refresh. */
  onRefreshRefused(): void {
    if (this.#fresh) this.#fresh.isFinal = true;
    this.#warnIfRefused();
  }

  #warnIfRefused(): void {
    const { refused, sent, isFinal } = this.#fresh ?? { refused: 0, sent: 0, isFinal: false };
    if (isFinal && refused > 0 && refused >= sent) this.#warn();
  }

  #warn(): void {
    const token = this.#fresh?.accessToken ?? '';
    this.#fresh = undefined;
    this.#hasWarned = true;
    const place = tokenPlace(this.#header);
    const word = /: (\S+) </.exec(place)?.[1];
    const isTwice = word !== undefined && token.toLowerCase().startsWith(`${word.toLowerCase()} `);
    const remedy = isTwice
      ? `The token itself begins with “${word}”, so the word was sent twice. Leave it out of the token, or set \`header: 'Authorization:'\`.`
      : remedyFor(place);
    console.warn(
      `data-client-auth: the server refused (401) the token of a new sign-in at once. It was sent as \`${place}\`. ${remedy}`,
    );
  }
}

function remedyFor(place: string): string {
  return place.toLowerCase().startsWith('authorization:')
    ? "If the server reads another word before the token, or another header, name it in the session's `header`: 'Authorization: token'; otherwise check that the token is for this API."
    : "If the server reads another header, name it in the session's `header`; most servers read header: 'Authorization'.";
}
