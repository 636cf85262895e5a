/** A map, because the code comes from the server: an object has a `constructor`, too. */
const TEXT_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['missing', 'This does not exist.'],
  ['missing_field', 'This is required.'],
  ['already_exists', 'This is taken already.'],
]);

/**
 * The English text for a field that the server names with a code only.
 *
 * @see https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed
 */
export function describeCode(code: string): string {
  return TEXT_BY_CODE.get(code) ?? 'This is not valid.';
}
