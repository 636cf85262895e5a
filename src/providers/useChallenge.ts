import { useSyncExternalStore } from 'react';
import { useSessionCore } from '../endpoints/SessionContext.js';
import type { Challenges, OpenChallenge } from '../stepUp/challenge.js';

const NO_STEP_UP =
  'The session of the provider above has no challenges. Give it the extension: createTokenSession({ extensions: [stepUp({ answer })] }).';

/** The challenges of the nearest session. */
export function useChallenges(hook: string): Challenges {
  const { challenges } = useSessionCore(hook) as { readonly challenges?: Challenges };
  if (!challenges) throw new TypeError(NO_STEP_UP);
  return challenges;
}

/**
 * Returns the challenge that the user has to answer now, with `answer`, `cancel`, `error` and `isPending`; undefined while there is none.
 * Renders again when one of them changes, and only the components that call it. `<Challenge>` is a dialog made of it.
 *
 * @throws MissingProviderError without an auth provider above, TypeError when its session has no `stepUp()`.
 * @example
 * const open = useChallenge();
 * if (open) return <CodeForm onSubmit={code => open.answer({ code })} onCancel={open.cancel} error={open.error} />;
 */
export function useChallenge(): OpenChallenge | undefined {
  const { subscribe, getSnapshot } = useChallenges('useChallenge()');
  return useSyncExternalStore(subscribe, getSnapshot, () => undefined);
}
