// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { useContext, useLayoutEffect } from 'react';
import { afterEach, expect, test } from 'vitest';
import { SessionContext } from '../../src/endpoints/SessionContext.js';
import { ContextTokenProvider } from '../../src/index.js';

afterEach(cleanup);

test('an effect below, in the render that brings another user, finds the session with this user', () => {
  const found: [prop: string, session: string | undefined][] = [];
  function Effect({ subject }: { subject: string }) {
    const session = useContext(SessionContext)?.session;
    useLayoutEffect(() => void found.push([subject, session?.getSubject()]), [subject, session]);
    return null;
  }
  const app = (subject: string) => (
    <ContextTokenProvider subject={subject} token={`${subject}-1`}>
      <Effect subject={subject} />
    </ContextTokenProvider>
  );
  const { rerender } = render(app('ada'));
  rerender(app('grace'));
  expect(found.at(0)).toEqual(['ada', 'ada']);
  expect(found.at(-1)).toEqual(['grace', 'grace']);
  expect(found.filter(([prop, session]) => prop !== session)).toEqual([]);
});
