import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWwwAuthenticate } from '../../src/stepUp/wwwAuthenticate.js';

test.each([
  [null, []],
  ['', []],
  ['Bearer', [{ scheme: 'Bearer', params: {} }]],
  [
    'Negotiate, Basic realm="a"',
    [
      { scheme: 'Negotiate', params: {} },
      { scheme: 'Basic', params: { realm: 'a' } },
    ],
  ],
  [
    'Negotiate YIIz==, Bearer x=1',
    [
      { scheme: 'Negotiate', params: {} },
      { scheme: 'Bearer', params: { x: '1' } },
    ],
  ],
  [
    'Bearer realm="a, b", Error = "insufficient_scope" ,scope=read',
    [{ scheme: 'Bearer', params: { realm: 'a, b', error: 'insufficient_scope', scope: 'read' } }],
  ],
  [
    'Bearer realm="Basic error=\\"x\\"", , DPoP algs="ES256 PS256", error="invalid_token"',
    [
      { scheme: 'Bearer', params: { realm: 'Basic error="x"' } },
      { scheme: 'DPoP', params: { algs: 'ES256 PS256', error: 'invalid_token' } },
    ],
  ],
  ['Bearer error="a", error="b"', [{ scheme: 'Bearer', params: { error: 'a' } }]],
  ['Bearer error="never closed', [{ scheme: 'Bearer', params: {} }]],
])('reads %s', (header, challenges) => {
  expect(parseWwwAuthenticate(header)).toEqual(challenges);
});

test('any text is read to its end, or to the place where it is malformed', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'B', ' ', ',', '=', '"', '\\', '/', '@') }), header => {
      const schemes = parseWwwAuthenticate(header).map(({ scheme }) => scheme);
      expect(schemes.join('').length).toBeLessThanOrEqual(header.length);
    }),
  );
});
