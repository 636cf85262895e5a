/** Of a header's params: `; name="quoted text"` or `; name=token`. */
const PARAM = /;\s*([^\s"=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g;

/**
 * Reads the name of a file from a `Content-Disposition` header. Undefined if there is none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6266
 * @see https://www.rfc-editor.org/rfc/rfc8187
 */
export function fileName(header: string | null): string | undefined {
  const params = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of (header ?? '').matchAll(PARAM))
    if (!params.has(name.toLowerCase())) params.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token);
  const [, charset = '', encoded] = /^([\w-]+)'[^']*'(.*)$/.exec(params.get('filename*') ?? '') ?? [];
  const name = params.get('filename');
  const bytes = encoded?.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  // Many servers write UTF-8 without saying so.
  return safeName(decode(bytes, charset) ?? decode(name, 'utf-8') ?? name);
}

/** Decodes a text that has a character for each byte, as headers have. Undefined if it is not of this charset. */
function decode(text: string | undefined, charset: string): string | undefined {
  try {
    const bytes = Uint8Array.from(text!, byte => byte.charCodeAt(0));
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The last part of a path, without what a file system forbids, and without characters that turn the text around. */
export function safeName(name: string | undefined): string | undefined {
  const last = name?.replace(/^.*[/\\]/s, '') ?? '';
  return (
    last.replace(/[\u202a-\u202e\u2066-\u2069]|^[\s.]+|[\s.]+$/g, '').replace(/[<>:"|?*\x00-\x1f\x7f]/g, '_') ||
    undefined
  );
}
