import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocks } from './support/codeBlocks.js';
import { compile, COMPILED } from './support/compile.js';
import { storyFiles } from './support/pages.js';
import { readmeFiles } from './support/readmeFiles.js';

/** The compiler reads React's and data-client's types once for all pages. */
const COMPILE_TIMEOUT_MS = 120_000;

/** What is not for this kit's type check: commands, addresses, sentences, and the code of servers. */
const NOT_COMPILED = new Set(['sh', 'js', 'http', 'text', 'html', 'css', 'python', 'php', 'ruby', 'java', 'csharp']);

const pages = storyFiles('.mdx');

/** A page with a mistake in its fifth line: proof that mistakes are found. */
const mistaken = {
  file: 'Mistaken.mdx',
  text: "# Mistaken\n\n```ts\nimport { createTokenSession } from 'data-client-auth';\ncreateTokenSession({});\n```\n",
};

test('the code on every page compiles as it stands there', { timeout: COMPILE_TIMEOUT_MS }, () => {
  const errorsOf = compile([...pages, mistaken]);
  expect(pages.flatMap(errorsOf)).toEqual([]);
  expect(errorsOf(mistaken)).toEqual([expect.stringMatching(/^stories\/Mistaken\.mdx:5 .*'login' is missing/)]);
});

test.each(['hook', 'widget'] as const)(
  'the README’s app with a %s compiles, and `useAuth().user` has its type',
  { timeout: COMPILE_TIMEOUT_MS },
  kind => {
    const files = [...readmeFiles(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'))[kind]];
    const errorsOf = (typed: string) => {
      const blocks = files.map(([name, code]) => `\`\`\`${name.split('.').at(-1)} ${name}\n${code}\`\`\`\n`);
      const page = { file: 'README.mdx', text: blocks.join('').replace('user?.name', typed) };
      return compile([page])(page);
    };
    expect(files).toHaveLength(3);
    expect(errorsOf('user?.name')).toEqual([]);
    expect(errorsOf('user?.surname')).toEqual([expect.stringMatching(/Property 'surname' does not exist/)]);
  },
);

test.each(pages)('$file names the language of each of its blocks', page => {
  const others = codeBlocks(page).filter(({ language }) => !COMPILED.has(language) && !NOT_COMPILED.has(language));
  expect(others.map(({ line, language }) => `${line}: ${language}`)).toEqual([]);
});
