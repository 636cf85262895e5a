import { useEffect, useState } from 'react';

/** What is over sooner shows no progress: a note that comes and goes within the blink of an eye only disturbs. */
const PROGRESS_AFTER_MS = 300;

/** True from 300 ms after something has begun until it ends. */
export function useLate(isUnderWay: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(() => setLate(true), PROGRESS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isUnderWay]);
  return isUnderWay && isLate;
}
