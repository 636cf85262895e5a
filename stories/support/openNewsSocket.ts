let opened = 0;

/** A mock of a WebSocket. Its first message has the number of sockets so far. Returns the function that closes it. */
export function openNewsSocket(_token: string, onNews: (news: string) => void): () => void {
  opened += 1;
  onNews(`Connected, socket ${opened}.`);
  return () => onNews('Not connected.');
}
