/** @jsxRuntime classic */
// The part of “Signed in as ...” in the story's frame.
import React, { type ComponentType, type ReactNode } from 'react';
import { DOCS_PREPARED } from 'storybook/internal/core-events';
import type { DecoratorFunction } from 'storybook/internal/types';
import { addons } from 'storybook/preview-api';
import { type AuthParameters, AUTH_PARAM_KEY, TOOLBAR_NEWS } from './AuthParameters.js';
import { choicesOf, type ChoosingContext } from './choices.js';
import { SignedInAs } from './SignedInAs.js';
import { StoryRun, type RunContext, type StoryAuth } from './StoryRun.js';
import { addRun, removeRun, runOf } from './storyRuns.js';
import { toolbarTools, type ToolbarNews } from './toolbarTools.js';

interface AuthContext extends RunContext {
  readonly parameters: { readonly [AUTH_PARAM_KEY]?: AuthParameters };
  readonly viewMode: string;
  auth?: StoryAuth;
}

/** Storybook ignores a change of a global that it does not know. The toolbar has its own tools for these. */
export const authGlobalTypes = { user: {}, mechanism: {}, network: {} };

/** The starts of stories whose loaders have run. */
const started = new WeakSet<AbortSignal>();

/** Before all other loaders and every `beforeEach`, which read `context.auth`. */
export function startRun(context: AuthContext): void {
  const given = context.parameters[AUTH_PARAM_KEY];
  if (context.viewMode === 'story') describeTools(given, context);
  started.add(context.abortSignal);
  if (!given || given.disable || context.abortSignal.aborted) return;
  const current = runOf(context.id);
  const isRerender = current?.isRunOf(context) === true;
  const run = isRerender ? current : new StoryRun(given, context);
  if (!isRerender) addRun(run);
  context.auth = run.startRender(isRerender);
}

/** Signs the user in. Returns the cleanup of the run. */
export async function signInBeforeEach(context: AuthContext): Promise<(() => void) | undefined> {
  const run = runOf(context.id);
  if (!run?.isRunOf(context) || context.auth?.isRerender) return undefined;
  await run.signIn();
  return () => {
    removeRun(run);
    run.endNetwork();
    run.endUnlessMounted();
  };
}

/** Around all other decorators, so that those of the story find its session and its store. */
export const withSession = ((Story: ComponentType & (() => ReactNode), context: AuthContext) => {
  const run = runOf(context.id);
  if (!run?.isRunOf(context)) {
    assertStarted(context);
    return Story();
  }
  run.applyNetwork(context.msw);
  const { provider, onMount } = run;
  if (!provider) return Story();
  return (
    <SignedInAs provider={provider} onMount={onMount}>
      <Story />
    </SignedInAs>
  );
}) as unknown as DecoratorFunction;

/** Testing Library can render a composed story, but then Storybook calls its decorators without its loaders. */
function assertStarted({ abortSignal, parameters }: AuthContext): void {
  const { [AUTH_PARAM_KEY]: given = {} } = parameters;
  const hasSession = given.session ?? Object.values(given.mechanisms ?? {}).some(({ session }) => session);
  if (started.has(abortSignal) || given.disable || !hasSession) return;
  throw new Error(
    'No user is signed in for this story, because its loaders have not run. Call await Story.run() of the composed story, and do not render <Story />.',
  );
}

/** A docs page has no story of its own. Its examples start in frames, with the choices of the page. */
const ON_DOCS_PAGE: ChoosingContext = { globals: {}, storyGlobals: {} };

void addons
  .ready()
  .then(channel =>
    channel.on(DOCS_PREPARED, ({ parameters }: Pick<AuthContext, 'parameters'>) =>
      describeTools(parameters[AUTH_PARAM_KEY], ON_DOCS_PAGE),
    ),
  );

function describeTools(given: AuthParameters | undefined, context: ChoosingContext): void {
  const tools = given && !given.disable ? toolbarTools(given, context, choicesOf(given, context)) : [];
  const news: ToolbarNews = { tools };
  addons.getChannel().emit(TOOLBAR_NEWS, news);
}
