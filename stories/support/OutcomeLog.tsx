import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const OutcomeLogContext = createContext<(what: string) => void>(() => {});

/** Returns a function that shows the outcome of a call, also after the calling component has unmounted. */
export function useOutcomeLog(): (what: string) => void {
  return useContext(OutcomeLogContext);
}

/** Shows the outcomes of calls. It is above a provider, so it stays mounted when the identity changes. */
export function OutcomeLog({ children }: { children: ReactNode }) {
  const [outcomes, setOutcomes] = useState<readonly string[]>([]);
  const log = useCallback((what: string) => setOutcomes(before => [...before, what]), []);
  return (
    <OutcomeLogContext.Provider value={log}>
      {children}
      <ol aria-label="What the callers were told">
        {outcomes.map((what, index) => (
          <li key={index}>{what}</li>
        ))}
      </ol>
    </OutcomeLogContext.Provider>
  );
}
