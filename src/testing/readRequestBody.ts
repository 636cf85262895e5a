const TEXT = /^(text\/|application\/(.*\+)?(json|xml|x-www-form-urlencoded|graphql))/i;

/**
 * Reads a request's body as one line of text. Resolves with `undefined` for an empty body. Consumes the body: pass a clone.
 * Text stays as sent. FormData becomes `form-data{title=Hello, file=‹notes.txt 3 bytes›}`, because its boundary is
 * different each time. Other bytes become `‹image/png 3 bytes›`.
 */
export async function readRequestBody(request: Request): Promise<string | undefined> {
  const type = request.headers.get('content-type') ?? '';
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return undefined;
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    return `form-data{${[...form].map(printField).join(', ')}}`;
  }
  if (type && !TEXT.test(type)) return `‹${type} ${bytes.byteLength} bytes›`;
  return onOneLine(new TextDecoder().decode(bytes));
}

function printField([name, value]: [string, FormDataEntryValue]): string {
  if (typeof value !== 'string') return `${name}=‹${value.name} ${value.size} bytes›`;
  // Quote a value that a reader could mistake for the next field.
  return `${name}=${/[,={}"\r\n]/.test(value) ? JSON.stringify(value) : value}`;
}

/** Keeps a body on one line: JSON without its indentation, line breaks of other text as `\n`. */
export function onOneLine(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text.replace(/\r/g, '\\r').replace(/\n/g, '\\n');
  }
}
