import { useEffect, useLayoutEffect } from 'react';

/** `useLayoutEffect` on a page; on a server, where there is nothing to paint, React wants to hear nothing of it. */
export const useBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect;
