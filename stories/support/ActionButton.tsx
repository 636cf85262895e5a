import { useState } from 'react';

interface ActionButtonProps {
  /** What the reader does. */
  label: string;
  /** Does it, and resolves with the text to show. */
  act: () => Promise<string>;
}

/** A button, and beside it the result of the last press: the text of `act`, or its error. */
export function ActionButton({ label, act }: ActionButtonProps) {
  const [outcome, setOutcome] = useState('');
  const press = async () => {
    setOutcome('');
    try {
      setOutcome(await act());
    } catch (error) {
      const { name, message } = error as Error;
      setOutcome(`${name}: ${message}`);
    }
  };
  return (
    <p>
      <button type="button" onClick={() => void press()}>
        {label}
      </button>{' '}
      <output>{outcome}</output>
    </p>
  );
}
