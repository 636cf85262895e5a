import { expect, test } from 'vitest';
import { describeCode } from '../../src/widgets/labels/englishLabels.js';

test.each([
  ['missing_field', 'This is required.'],
  ['already_exists', 'This is taken already.'],
  ['unprocessable', 'This is not valid.'],
  ['constructor', 'This is not valid.'],
  ['__proto__', 'This is not valid.'],
])('the code %s of a field is told as a sentence', (code, text) => expect(describeCode(code)).toBe(text));
