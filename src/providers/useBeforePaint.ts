import { useEffect, useLayoutEffect } from 'react';

/** `useLayoutEffect` in a browser. On a server React 18 warns about `useLayoutEffect`, so this is `useEffect` there. */
export const useBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect;
