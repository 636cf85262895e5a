// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { startTransition, Suspense, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useLatest } from '../../src/providers/useLatest.js';

afterEach(cleanup);

const never = new Promise<never>(() => {});

test('a callback reads the value that is shown, and not one of a render that React throws away', () => {
  let read!: () => string;
  let show!: (value: string) => void;
  function Callback({ value }: { value: string }) {
    const latest = useLatest(value);
    read = () => latest.current;
    return <>{value}</>;
  }
  function Suspended(): null {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how React 18 suspends
    throw never;
  }
  function App() {
    const [value, setValue] = useState('first');
    show = setValue;
    return (
      <>
        <Callback value={value} />
        {value === 'waits' && <Suspended />}
      </>
    );
  }
  const { container } = render(
    <Suspense>
      <App />
    </Suspense>,
  );
  act(() => startTransition(() => show('waits')));
  expect([container.textContent, read()]).toEqual(['first', 'first']);
  act(() => show('second'));
  expect([container.textContent, read()]).toEqual(['second', 'second']);
});
