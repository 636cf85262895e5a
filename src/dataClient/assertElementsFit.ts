import { AsyncBoundary } from '@data-client/react';
import { createElement } from 'react';

/** What React and data-client create elements as, and their types do not tell. */
interface CreatedElement {
  readonly $$typeof: symbol;
}

/** A component of data-client that uses no hooks, as React's `memo` holds it. */
interface Boundary {
  type?: (props: { fallback: null; children: null }) => CreatedElement;
}

/**
 * React 19 refuses the elements that data-client created before 0.12.8, and the page would stay white.
 *
 * @throws Error with the remedy, when data-client's elements are not of the kind that the installed React creates.
 */
export function assertElementsFit(): void {
  const { $$typeof: own } = createElement('i') as Partial<CreatedElement>;
  const element = (AsyncBoundary as Boundary).type?.({ fallback: null, children: null });
  if (element === undefined || element.$$typeof === own) return;
  throw new Error(
    'The installed @data-client/react creates elements that the installed React refuses. React 19 needs @data-client/react and @data-client/rest 0.18: update them, or install React 18.',
  );
}
