import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const OutcomeLogContext = createContext<(what: string) => void>(() => {});

/** Says what a caller was told, on screen, also when the caller's own component is gone. */
export function useOutcomeLog(): (what: string) => void {
  return useContext(OutcomeLogContext);
}

/** Stands above a provider and remembers what the callers below were told, whatever becomes of them. */
export function OutcomeLog({ children }: { children: ReactNode }) {
  const [told, setTold] = useState<readonly string[]>([]);
  const tell = useCallback((what: string) => setTold(before => [...before, what]), []);
  return (
    <OutcomeLogContext.Provider value={tell}>
      {children}
      <ol aria-label="What the callers were told">
        {told.map((what, place) => (
          <li key={place}>{what}</li>
        ))}
      </ol>
    </OutcomeLogContext.Provider>
  );
}
