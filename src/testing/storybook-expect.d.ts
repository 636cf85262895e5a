// Types `expect(journal).toHaveSent([...])` of 'storybook/test' in this repository; .storybook/preview extends the expect itself.
import type { JournalMatchers } from './journalMatchers.js';

declare module 'storybook/test' {
  // The name and the parameter have to be Storybook's own.
  interface Assertion<T> extends JournalMatchers<Promise<void>> {}
}
