/** One challenge of a `WWW-Authenticate` header. */
export interface ParsedChallenge {
  /** As the server spells it: `Bearer`, `DPoP`. */
  readonly scheme: string;
  /** By their names in lower case. */
  readonly params: Readonly<Record<string, string>>;
}

const TOKEN = "[!#$%&'*+\\-.^`|~\\w]+";
const END = '(?=\\s*(?:,|$))';
const SEPARATOR = /[\s,]*/y;
const PARAM = /* @__PURE__ */ new RegExp(`(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}))${END}`, 'y');
/** With its value, if that is one text and no list of params, as in `Negotiate YII==`. */
const SCHEME = /* @__PURE__ */ new RegExp(`(${TOKEN})(?: +[\\w\\-.~+/]+=*${END})?(?=[\\s,]|$)`, 'y');

/**
 * Reads the challenges of a `WWW-Authenticate` header; several headers arrive as one. Stops where it is malformed.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export function parseWwwAuthenticate(header: string | null): readonly ParsedChallenge[] {
  const challenges: { scheme: string; params: Record<string, string> }[] = [];
  let index = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = index;
    const match = pattern.exec(header ?? '');
    if (match) index = pattern.lastIndex;
    return match;
  };
  for (;;) {
    next(SEPARATOR);
    const current = challenges.at(-1);
    const param = current && next(PARAM);
    if (param) {
      const [, name, quoted, value = quoted!.replace(/\\(.)/gs, '$1')] = param;
      current.params[name!.toLowerCase()] ??= value;
      continue;
    }
    const scheme = next(SCHEME);
    if (!scheme) return challenges;
    challenges.push({ scheme: scheme[1]!, params: {} });
  }
}
