import { useEffect, useState } from 'react';

/** The text is announced after this time without a change, so that a screen reader does not read each step. */
const QUIET_MS = 1000;

/** Returns the text after it has not changed for `QUIET_MS`. */
export function useAnnouncement(text: string): string {
  const [announced, announce] = useState('');
  useEffect(() => {
    const quiet = setTimeout(() => announce(text), QUIET_MS);
    return () => clearTimeout(quiet);
  }, [text]);
  return announced;
}
