/** The fields of a journal's line, which are separated by two spaces: `METHOD URL  mode  header: value  body`. */
const FIELD_END = '  ';
const HEADER = /^([\w-]+): (.*)$/s;

/** Splits a redacted line of the journal into the address and the credential headers, and leaves out the body. */
export function readLine(line: string, headers: Readonly<Record<string, string>>): { address: string; credentials: string[] } {
  const [request = '', , ...fields] = line.split(FIELD_END);
  const credentials: string[] = [];
  let last = '';
  for (const field of fields) {
    // Headers stand in alphabetical order; a text body may look like one more.
    const name = HEADER.exec(field)?.[1] ?? '';
    if (!(name in headers) || name <= last) break;
    credentials.push(field);
    last = name;
  }
  return { address: request.slice(request.indexOf(' ') + 1), credentials };
}

/** Whether the browser adds the cookies it has for the address; which ones, no page can see. */
export function bringsCookies(mode: RequestCredentials, origin: string, page: string | undefined): boolean {
  return mode === 'include' || (mode === 'same-origin' && origin === page);
}
