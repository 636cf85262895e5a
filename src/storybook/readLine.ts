/** Two spaces separate the fields of a journal's line: `METHOD URL  mode  header: value  body`. */
const FIELD_END = '  ';
const HEADER = /^([\w-]+): (.*)$/s;

/** Reads the address and the credential headers from a redacted line of the journal. Ignores the body. */
export function readLine(
  line: string,
  headers: Readonly<Record<string, string>>,
): { address: string; credentials: string[] } {
  const [request = '', , ...fields] = line.split(FIELD_END);
  const credentials: string[] = [];
  let last = '';
  for (const field of fields) {
    // Headers are in alphabetical order. A text body may look like another header.
    const name = HEADER.exec(field)?.[1] ?? '';
    if (!(name in headers) || name <= last) break;
    credentials.push(field);
    last = name;
  }
  return { address: request.slice(request.indexOf(' ') + 1), credentials };
}

/** Returns true when the browser adds its cookies for the address. A page cannot see which cookies. */
export function bringsCookies(mode: RequestCredentials, origin: string, page: string | undefined): boolean {
  return mode === 'include' || (mode === 'same-origin' && origin === page);
}
