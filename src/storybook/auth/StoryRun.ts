import type { AuthMechanism, AuthParameters, StoryNetwork, StoryServer } from './AuthParameters.js';
import {
  choicesOf,
  isSameChoice,
  mechanismOf,
  writtenChoices,
  type AuthChoices,
  type ChoosingContext,
} from './choices.js';
import { serverFor, signInStory, type SignedInStory } from './signInStory.js';

/** `context.auth` of a story with `parameters.auth`: the choices that it starts with. For stories that make their own session. */
export interface StoryAuth {
  /** Returns the id of the user to sign in: the toolbar's choice, else the story's own; undefined: signed out. @default own = `parameters.auth.as` */
  personFor(own?: string): string | undefined;
  /** The chosen name of `parameters.auth.mechanisms`. Undefined without `mechanisms`. */
  readonly mechanism: string | undefined;
  readonly network: 'fast' | StoryNetwork;
  /** True when Storybook runs loaders and `beforeEach` again for a story that stays mounted, because an arg or a global has changed. */
  readonly isRerender: boolean;
  /** False when the reader has chosen otherwise: checks that are written for one choice do not apply then. */
  readonly isAsWritten: boolean;
  /** Names the server of a story that makes its own session. The network of the toolbar applies to it. */
  setServer(server: Omit<StoryServer, 'signIn'>): void;
}

/** The part of a story's context that a run reads. */
export interface RunContext extends ChoosingContext {
  readonly id: string;
  readonly abortSignal: AbortSignal;
  readonly msw?: unknown;
}

/** One run of a story, from its start to a restart or to the next story. */
export class StoryRun {
  readonly id: string;
  readonly given: AuthParameters;
  readonly choices: AuthChoices;
  /** Between the start and the end of its play, Storybook cannot restart a story without a reload of the page. */
  isUnderWay = true;
  readonly #context: RunContext;
  #server: Omit<StoryServer, 'signIn'> | undefined;
  #story: SignedInStory | undefined;
  #mounts = 0;
  #isNetworkDue = false;
  /** Aborted when another handler replaces this one. */
  #network: AbortController | undefined;

  constructor(given: AuthParameters, context: RunContext) {
    this.id = context.id;
    this.given = given;
    this.choices = choicesOf(given, context);
    this.#context = context;
    this.#server = this.#mechanism.server;
  }

  get provider() {
    return this.#story?.provider;
  }

  /** True for a later render of this run: Storybook makes a new signal for a new start only. */
  isRunOf({ abortSignal }: Pick<RunContext, 'abortSignal'>): boolean {
    return this.#context.abortSignal === abortSignal;
  }

  /** Returns true if the story would start otherwise with these globals of the toolbar. */
  isOutdated(userGlobals: Readonly<Record<string, unknown>>): boolean {
    const globals = { ...userGlobals, ...this.#context.storyGlobals };
    return !isSameChoice(this.choices, choicesOf(this.given, { ...this.#context, globals }));
  }

  /** Begins a render, and returns its `context.auth`. */
  startRender(isRerender: boolean): StoryAuth {
    const { mechanism, network } = this.choices;
    // Credentials expire once. `signIn` expires those of its own session.
    this.#isNetworkDue = network !== 'expired' || !(isRerender || this.#mechanism.session);
    return {
      personFor: own => this.#personFor(own),
      mechanism,
      network,
      isRerender,
      isAsWritten: isSameChoice(this.choices, writtenChoices(this.given, this.#context)),
      setServer: server => (this.#server = server),
    };
  }

  /** Creates the session and signs the user in. */
  async signIn(): Promise<void> {
    const { session, server = serverFor(this.given) } = this.#mechanism;
    if (!session) return;
    this.#story = await signInStory({ session, server }, this.#personFor());
    if (this.choices.network === 'expired') server.expire?.();
  }

  /**
   * Applies the network. Called when the story renders, because msw asks the handler that was added last first, and again after the
   * loaders have run, because msw's addon removes all handlers there.
   */
  applyNetwork(msw: unknown): void {
    const { network } = this.choices;
    if (!this.#isNetworkDue || network === 'fast') return;
    this.#isNetworkDue = false;
    this.#network?.abort();
    this.#network = new AbortController();
    const handler = this.#server?.networkHandler?.(network, this.#network.signal);
    const worker = (this.given.worker ?? msw) as AuthParameters['worker'];
    if (handler) worker?.use?.(handler);
  }

  endNetwork(): void {
    this.#network?.abort();
  }

  /** Called after a mount of the story. Returns the function for its unmount. */
  readonly onMount = () => {
    this.#mounts++;
    return () => {
      this.#mounts--;
      // In a microtask, because StrictMode unmounts and mounts at once.
      queueMicrotask(() => this.endUnlessMounted());
    };
  };

  /** Ends the session. A mounted tree would restore it or show the gate, so the unmount ends it. */
  endUnlessMounted(): void {
    if (this.#mounts > 0) return;
    this.#story?.end();
    this.#story = undefined;
  }

  get #mechanism(): AuthMechanism {
    return mechanismOf(this.given, this.choices.mechanism);
  }

  #personFor(own = this.given.as): string | undefined {
    const { user } = this.choices;
    return user === 'none' ? undefined : user === 'story' ? own : user;
  }
}
