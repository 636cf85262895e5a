/** A button that has what is shown fetched again. */
export const fetchAgain = ({ invalidate }: { invalidate: () => Promise<unknown> }) => (
  <button type="button" onClick={() => void invalidate()}>
    Fetch again
  </button>
);
