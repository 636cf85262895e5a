/** Scripts that are written from right to left: Hebrew, Arabic and their neighbours, their presentation forms, and those beyond U+FFFF. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The text of a label with the name of a record. Where a part of it is written from right to left, invisible characters (FSI and PDI) isolate
 * the name: else the punctuation of the name and of the sentence would change places.
 *
 * @see https://www.w3.org/International/questions/qa-bidi-unicode-controls
 */
export function labelWithName(label: (name: string | undefined) => string, name: string | undefined): string {
  const text = label(name);
  return name !== undefined && RIGHT_TO_LEFT.test(text) ? label(`\u2068${name}\u2069`) : text;
}
