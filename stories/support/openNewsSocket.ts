let opened = 0;

/** A mock of a WebSocket: says how often it was opened. Returns the function that closes it. */
export function openNewsSocket(_token: string, onNews: (news: string) => void): () => void {
  opened += 1;
  onNews(`Connected, socket ${opened}.`);
  return () => onNews('Not connected.');
}
