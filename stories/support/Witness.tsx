import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const WitnessContext = createContext<(what: string) => void>(() => {});

/** Says what a caller was told, on screen, also when the caller's own component is gone. */
export function useWitness(): (what: string) => void {
  return useContext(WitnessContext);
}

/** Stands above a provider and remembers what the callers below were told, whatever becomes of them. */
export function Witness({ children }: { children: ReactNode }) {
  const [told, setTold] = useState<readonly string[]>([]);
  const tell = useCallback((what: string) => setTold(before => [...before, what]), []);
  return (
    <WitnessContext.Provider value={tell}>
      {children}
      <ol aria-label="What the callers were told">
        {told.map((what, place) => (
          <li key={place}>{what}</li>
        ))}
      </ol>
    </WitnessContext.Provider>
  );
}
