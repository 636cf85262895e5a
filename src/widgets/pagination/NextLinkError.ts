import { RequestError } from '../../errors.js';

/** The server's link to the next page leads nowhere; its `status` has it shown as a page that could not be fetched. */
export class NextLinkError extends RequestError {
  override readonly name = 'NextLinkError';
  readonly status = 502;

  constructor(link: string, problem: string) {
    super(`The next link ${JSON.stringify(link)} ${problem}. Tell PaginatedList the next page by a \`next\` function of your own.`);
  }
}
