import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileName } from '../../src/files/fileName.js';

/** A header as `fetch` gives it: a character for each byte. */
const asBytes = (header: string) => Buffer.from(header, 'utf8').toString('latin1');

test.each([
  [null, undefined],
  ['attachment', undefined],
  ['attachment; filename=plain.pdf', 'plain.pdf'],
  ['attachment; FileName = "with space.pdf"', 'with space.pdf'],
  [String.raw`attachment; filename="a \"quoted\" one.pdf"`, 'a _quoted_ one.pdf'],
  ['attachment; filename="EURO.txt"; filename*=UTF-8\'\'%e2%82%ac.txt', '€.txt'],
  ["attachment; filename*=iso-8859-1'en'%A3%20rates.txt; filename=rates.txt", '£ rates.txt'],
  ["attachment; filename*=utf-8''%ff.txt; filename=fallback.txt", 'fallback.txt'],
  ["attachment; filename*=no-such-charset''x; filename=fallback.txt", 'fallback.txt'],
  ['attachment; x="; filename=wrong"; filename=right.txt', 'right.txt'],
  ['attachment; filename=first; filename=second', 'first'],
  [asBytes('attachment; filename="Größe.txt"'), 'Größe.txt'],
  ['attachment; filename="Gr\xf6\xdfe.txt"', 'Größe.txt'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  [String.raw`attachment; filename="C:\\temp\\report.doc"`, 'report.doc'],
  ["attachment; filename*=UTF-8''photo%E2%80%AEgpj.exe", 'photogpj.exe'],
  ['attachment; filename="..."', undefined],
  ['attachment; filename=""', undefined],
])('%s names %s', (header, name) => expect(fileName(header)).toBe(name));

test('a name of letters in any script is read back, whether it is encoded or in bare UTF-8', () => {
  const letters = fc.stringMatching(/^[\p{L}\p{N}]{1,20}\.[a-z]{1,4}$/u);
  fc.assert(
    fc.property(letters, name => {
      expect(fileName(`attachment; filename*=UTF-8''${encodeURIComponent(name)}`)).toBe(name);
      expect(fileName(asBytes(`attachment; filename="${name}"`))).toBe(name);
    }),
  );
});

test('no header is too odd, and no name has a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (rest, name) => {
      for (const header of [rest, `attachment; filename="${name}"`, `attachment; filename*=UTF-8''${name}`])
        expect(fileName(header) ?? '').not.toMatch(/[/\\:]/);
    }),
    { numRuns: 30 },
  );
});
