import { expect } from 'storybook/test';
import { setupWorker } from 'msw/browser';
import { setupServer } from 'msw/node';
import { createRequestJournal } from '../../src/testing/RequestJournal.js';
import { journalMatchers } from '../../src/testing/journalMatchers.js';

expect.extend(journalMatchers);
const journal = createRequestJournal(setupWorker());
createRequestJournal(setupServer());
export const a: Promise<void> = expect(journal).toHaveSent(['x'], { anyOrder: true });
export const b: Promise<void> = expect(journal).not.toHaveSent(['x']);
export const c: Promise<void> = expect(1).toBe(1);
// @ts-expect-error lines are needed
void expect(journal).toHaveSent();
