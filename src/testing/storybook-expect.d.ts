// Types `expect(journal).toHaveSent([...])` of 'storybook/test' in this repository. `.storybook/preview.tsx` extends `expect`.
import type { JournalMatchers } from './journalMatchers.js';

declare module 'storybook/test' {
  // Declaration merging needs Storybook's own name and type parameter.
  interface Assertion<T> extends JournalMatchers<Promise<void>> {}
}
