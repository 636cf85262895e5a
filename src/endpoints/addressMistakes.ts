import { warnOnce } from '../warnOnce.js';

interface Address {
  readonly urlPrefix: string;
  readonly path: string;
}

/** A host without `https://`, so that the address is relative to the page's: `localhost:4000`, `api.example.com`. */
const HOST_ONLY = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}|\d+(?:\.\d+){3})(?::\d+)?(?:\/|$)/i;
/** A variable without a value, in a template. */
const NO_VALUE = /^(?:[a-z]+:\/\/)?(?:undefined|null)(?![\w.-])/i;

/** Warns of an address that no server can have. Call it in development only. */
export function warnOfAddress({ urlPrefix, path }: Address): void {
  const mistake = describeMistake(urlPrefix, path);
  if (mistake) warnOnce(mistake);
}

function describeMistake(urlPrefix: string, path: string): string | undefined {
  const prefix = JSON.stringify(urlPrefix);
  const quoted = JSON.stringify(path);
  const [, origin, rest] = /^([a-z][a-z\d+.-]*:\/\/[^/]+)(.*)$/is.exec(path) ?? [];
  if (origin) return `The path ${quoted} has an origin. Write it as urlPrefix: '${origin}', path: '${rest}'.`;
  const [, search] = /\?([\w-]+)=/.exec(path) ?? [];
  if (search)
    return `The path ${quoted} has search params, and its \`?\` makes the param before it optional. Leave them out of the path, and pass { ${search}: … } with the other params.`;
  if (NO_VALUE.test(urlPrefix))
    return `The urlPrefix ${prefix} has a variable without a value. Look at the configuration of the build: Vite, for example, reads only variables whose names begin with VITE_.`;
  if (HOST_ONLY.test(urlPrefix))
    return `The urlPrefix ${prefix} has no scheme, so it is not the address of a server. Write 'https://…' or 'http://…' before it.`;
  if (/\w$/.test(urlPrefix) && /^[\w:]/.test(path))
    return `The urlPrefix ${prefix} and the path ${quoted} have no slash between them. Let the path begin with one: ${JSON.stringify(`/${path}`)}.`;
  if (urlPrefix.endsWith('/') && path.startsWith('/'))
    return `The urlPrefix ${prefix} ends in a slash, and its paths begin with one. Leave out the one at the end of the urlPrefix.`;
  return undefined;
}

/** Warns of a search param that would be sent as “[object Object]” or “NaN”. Call it in development only. */
export function warnOfSearchParam({ path }: Address, name: string, value: unknown): void {
  if (isNotANumber(value))
    warnOnce(`The search param \`${name}\` of ${path} is ${String(value)}, and is sent as that text. ${LEAVE_OUT}`);
  if (String(value) !== '[object Object]') return;
  warnOnce(
    `The search param \`${name}\` of ${path} is an object, so its address has the text “[object Object]”. Pass texts or numbers, each under the name that the server reads, or JSON.stringify() the object.`,
  );
}

const answered = new Set<string>();

/**
 * Notes how a list was answered, and warns of a 404, unless the list was there before: some servers answer so to a page past the end. Call it
 * in development only.
 */
export function noteListAnswer({ urlPrefix, path }: Address, status: number): void {
  const address = `${urlPrefix}${path}`;
  if (status !== 404) answered.add(address);
  // Its parent may not exist.
  else if (!answered.has(address) && !path.includes(':'))
    warnOnce(
      `The list GET ${path} was answered with 404. Check its address: \`urlPrefix\`, \`path\`, a slash at its end, and the proxy of the dev server. A list without rows is answered with 200 and an empty list.`,
    );
}

const LEAVE_OUT = 'Where the value is not known, leave the param out, or make it undefined.';

/** NaN and invalid dates, which JSON writes as null. */
function isNotANumber(value: unknown): boolean {
  return (typeof value === 'number' || value instanceof Date) && Number.isNaN(Number(value));
}

/** Warns of the params of a widget that JSON makes null. Call it in development only. */
export function warnOfLostParams(params: object | null | undefined): void {
  for (const [name, value] of Object.entries(params ?? {})) {
    if (!isNotANumber(value)) continue;
    warnOnce(
      `The param \`${name}\` is ${String(value)}, so it counts as null: the address has no such search param, or lacks a path param. ${LEAVE_OUT}`,
    );
  }
}
