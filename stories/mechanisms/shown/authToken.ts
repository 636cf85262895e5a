let accessToken: string | undefined;
const listeners = new Set<() => void>();

export const getAuthToken = () => accessToken;

export function setAuthToken(next: string | undefined): void {
  accessToken = next;
  for (const listener of listeners) listener();
}

export function subscribeToAuthToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
