import { useSyncExternalStore, type ReactNode } from 'react';
import { ContextTokenProvider } from '../../../src/index.js';
import { stepUp } from '../../../src/entries/step-up.js';
import type { GetTokenOptions } from '../../../src/mechanisms/SdkSessionOptions.js';
import type { Grant, OpenIdClient } from './openIdClient.js';

/** No user's token is refreshed by the refresh token of another one. */
const withRefreshToken = (next: Grant, before: Grant | undefined): Grant =>
  next.subject === before?.subject ? { ...next, refreshToken: before?.refreshToken } : next;

/** Keeps the tokens of an OpenID client to itself, as SDKs do. What the kit asks it is not asked twice at once by itself. */
export class Sdk {
  readonly #client: OpenIdClient;
  readonly #listeners = new Set<() => void>();
  #grant: Grant | undefined;
  /** Who has signed in; null is nobody. */
  subject: string | null = null;
  readonly signIn: () => Promise<void>;

  constructor(client: OpenIdClient, signIn: () => Promise<void>) {
    this.#client = client;
    this.signIn = signIn;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  comeBack = async (): Promise<void> => this.#hold(await this.#client.comeBack());

  getToken = async ({ forceRefresh, challenge }: GetTokenOptions): Promise<string | undefined> => {
    // A step-up asks for no refresh token of its own.
    if (challenge) this.#hold(withRefreshToken(await this.#client.stepUp(challenge), this.#grant));
    else if (forceRefresh) this.#grant = await this.#client.renew(this.#grant?.refreshToken);
    return this.#grant?.accessToken;
  };

  signOut = async (): Promise<void> => {
    const left = this.#grant;
    this.#hold(undefined);
    await this.#client.revoke(left?.refreshToken);
  };

  #hold(grant: Grant | undefined): void {
    this.#grant = grant;
    this.subject = grant?.subject ?? null;
    for (const listener of this.#listeners) listener();
  }
}

const challenge = stepUp();

/** The kit below an SDK. */
export function SdkProvider({ sdk, children }: { sdk: Sdk; children: ReactNode }) {
  const subject = useSyncExternalStore(sdk.subscribe, () => sdk.subject);
  return (
    <ContextTokenProvider subject={subject} getToken={sdk.getToken} header="Authorization" extensions={[challenge]}>
      {children}
    </ContextTokenProvider>
  );
}
