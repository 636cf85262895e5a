/** A button that fetches the shown data again. */
export const fetchAgain = ({ invalidate }: { invalidate: () => Promise<unknown> }) => (
  <button type="button" onClick={() => void invalidate()}>
    Fetch again
  </button>
);
