/** How one library asks the server for a record, with a token that has expired and a refresh token that has not. */
export interface Client {
  /** Rejects when the library tells of a failure. */
  get(id: string): Promise<unknown>;
}

export const EXPIRED = 'expired';
export const FIRST_REFRESH_TOKEN = 'refresh-0';
