/** What every server of these tests is started with. */
export interface ServerOptions {
  /** The folder of the page that it serves. */
  readonly pages: string;
  /** Where its database goes. */
  readonly file: string;
}
