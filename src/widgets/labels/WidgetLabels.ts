/** Every word that a widget says by itself. Counts are plain numbers: the English words write them in the reader's locale. */
export interface WidgetLabels {
  readonly loading: string;
  /** While newer rows are on their way, beside the old ones. */
  readonly updating: string;
  readonly empty: string;
  readonly retry: string;
  readonly retrying: string;
  readonly notFound: string;
  readonly removed: string;
  /** The question before a deletion; the name as `nameOf` tells it. */
  readonly confirmDelete: (name: string | undefined) => string;
  /** The answers to that question. */
  readonly delete: string;
  readonly cancel: string;
  /** What stands in the place of a record whose deletion can be undone. */
  readonly deleted: (name: string | undefined) => string;
  readonly undo: string;
  readonly create: string;
  readonly save: string;
  readonly saving: string;
  readonly loadMore: string;
  readonly loadingMore: string;
  readonly signIn: string;
  readonly signingIn: string;
  readonly username: string;
  readonly password: string;
  /** The button beside a password, pressed while it can be read. */
  readonly showPassword: string;
  readonly wrongLogin: string;
  readonly sessionExpired: string;
  /** Above the login form, when it could not be checked who is signed in. A button beside it says `retry`. */
  readonly notRestored: string;
  /** Above the login form, when the server has not confirmed the sign-out. A button beside it says `retry`. */
  readonly logoutUnconfirmed: string;
  /** What a reader is told when a page has arrived. */
  readonly loaded: (more: number, total: number) => string;
  /** What stands at the end of a list that has been loaded to its end. */
  readonly allLoaded: (total: number) => string;
  /** A failure, in words for the person at the screen. */
  readonly failure: (error: Error) => string;
}
