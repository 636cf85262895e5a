import { useEffect, useState } from 'react';

/** A screen reader hears the sum when things have been quiet for so long, not each step to it. */
const QUIET_MS = 1000;

/** The text, once it has stayed the same for a while. */
export function useAnnouncement(text: string): string {
  const [announced, announce] = useState('');
  useEffect(() => {
    const quiet = setTimeout(() => announce(text), QUIET_MS);
    return () => clearTimeout(quiet);
  }, [text]);
  return announced;
}
