const SENSITIVE_FIELD = 'token|password|secret|authorization';
const SENSITIVE_HEADER = /token|password|secret|authorization|cookie|csrf|xsrf|api-?key/i;
const SCHEME = /^(bearer|basic|digest|dpop|token|jwt|apikey|negotiate)\s+/i;
const JSON_FIELD = /* @__PURE__ */ new RegExp(
  `("[^"]*(?:${SENSITIVE_FIELD})[^"]*"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|-?\\d[^,}\\]\\s]*)`,
  'gi',
);
const URL_FIELD = /* @__PURE__ */ new RegExp(`((?:^|[?&])[^=&\\s]*(?:${SENSITIVE_FIELD})[^=&\\s]*=)([^&\\s]*)`, 'gi');
const FORM_FIELD = /* @__PURE__ */ new RegExp(
  `([{ ][^=,{}]*(?:${SENSITIVE_FIELD})[^=,{}]*=)("(?:[^"\\\\]|\\\\.)*"|[^,}]*)`,
  'gi',
);

/** A shorter secret is hidden only in its own field: in other fields the same text is more likely an ordinary word. */
const MIN_SECRET_CHARS = 5;

/** The tokens that mock servers have issued stay readable: `ada-1` is no secret, and says whose request it is. */
export const mockTokens = /* @__PURE__ */ new Set<string>();

/**
 * Hides the secrets in sent or expected journal lines: values of credential headers (but not their scheme), and fields of a URL
 * or a body with a name like token, password or secret. Each secret becomes a short hash, so that different secrets look
 * different. A token that a mock server has issued is shown. A secret that was found in one line is hidden everywhere in all lines.
 */
export function redactLines(lines: readonly string[], credentialHeaders: readonly string[]): string[] {
  const secrets = new Set<string>();
  const hide = (secret: string) => {
    if (mockTokens.has(secret)) return secret;
    if (secret.length >= MIN_SECRET_CHARS) secrets.add(secret);
    return secret === '' || secret.startsWith('‹') ? secret : `‹${shortHash(secret)}›`;
  };
  const redacted = lines.map(line => redactLine(line, credentialHeaders, hide));
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return redacted.map(line =>
    longestFirst.reduce(
      (text, secret) => encodingsOf(secret).reduce((rest, encoded) => rest.replaceAll(encoded, hide(secret)), text),
      line,
    ),
  );
}

type Hide = (secret: string) => string;

function redactLine(line: string, credentialHeaders: readonly string[], hide: Hide): string {
  const [request = '', ...fields] = line.split('  ');
  const out = [request.replace(URL_FIELD, (_, name: string, value: string) => name + hide(value))];
  while (fields.length > 0) {
    const header = /^([\w-]+): (.*)$/s.exec(fields[0] ?? '');
    if (!header && !/^(omit|same-origin|include)$/.test(fields[0] ?? '')) break;
    out.push(header ? redactHeader(header[1] ?? '', header[2] ?? '', credentialHeaders, hide) : (fields[0] ?? ''));
    fields.shift();
  }
  if (fields.length > 0) out.push(redactBody(fields.join('  '), hide));
  return out.join('  ');
}

function redactHeader(name: string, value: string, credentialHeaders: readonly string[], hide: Hide): string {
  if (!credentialHeaders.includes(name.toLowerCase()) && !SENSITIVE_HEADER.test(name)) return `${name}: ${value}`;
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  return `${name}: ${scheme}${hide(value.slice(scheme.length))}`;
}

function redactBody(body: string, hide: Hide): string {
  const replace = (_: string, name: string, value: string) =>
    name + (value.startsWith('"') ? `"${hide(value.slice(1, -1))}"` : hide(value));
  if (body.startsWith('form-data{')) return body.replace(FORM_FIELD, replace);
  if (!/^[[{"]/.test(body)) return body.replace(JSON_FIELD, replace).replace(URL_FIELD, replace);
  // First hide values nested below a sensitive name, like {"tokens":{"access":"..."}}, without reformatting the body.
  return secretsOf(body)
    .reduce((text, secret) => text.replaceAll(JSON.stringify(secret), `"${hide(secret)}"`), body)
    .replace(JSON_FIELD, replace);
}

function secretsOf(body: string): string[] {
  const found: string[] = [];
  const walk = (value: unknown, isSecret: boolean): void => {
    if (typeof value === 'string' && isSecret) found.push(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      walk(inner, isSecret || new RegExp(SENSITIVE_FIELD, 'i').test(name));
    }
  };
  try {
    walk(JSON.parse(body), false);
  } catch {
    // Not JSON: only the patterns above apply.
  }
  return found;
}

/** The secret unchanged, URL-encoded, and escaped as in a JSON string. */
function encodingsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  try {
    return [secret, encodeURIComponent(secret), inJson];
  } catch {
    return [secret, inJson];
  }
}

/** FNV-1a. Stable between runs, so that a developer can compare messages of two runs. */
function shortHash(secret: string): string {
  let hash = 0x811c9dc5;
  for (const char of secret) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36).padStart(4, '0').slice(-4);
}
