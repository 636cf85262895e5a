import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, '');
const sheet = withoutComments(read('../src/styles.css'));
const readme = read('../README.md');
const guide = read('../stories/guides/Styles.mdx');

const all = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort();

/** What stands before each `{`, but for at-rules and the steps of an animation. */
const selectors = [...sheet.matchAll(/([^{};]+)\{/g)]
  .map(([, head = '']) => head.trim())
  .filter(head => !/^(@|to$|from$)/.test(head));

/** Splits at the commas that stand in no parentheses. */
function splitList(list: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const character of list) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
  }
  return parts.map(part => part.trim());
}

/** Removes what stands in parentheses, from the inside out. */
function withoutParentheses(text: string): string {
  const less = text.replace(/\([^()]*\)/g, '');
  return less === text ? text : withoutParentheses(less);
}

test('the stylesheet is built as one minified file of at most 6 KB gzip', async () => {
  const result = await build({ mode: 'lib', logLevel: 'silent', build: { write: false } });
  const files = [result].flat().flatMap(part => ('output' in part ? part.output : []));
  const styles = files.find(({ fileName }) => fileName === 'styles.css');
  const css = styles?.type === 'asset' ? Buffer.from(styles.source) : Buffer.alloc(0);
  expect(css.toString()).toMatch(/^:where\(\.dca-page,/);
  expect(gzipSync(css).byteLength).toBeLessThanOrEqual(6 * 1024);
});

/** Classes of the stylesheet for elements of the app. */
const OF_THE_APP = ['dca-page'];

test('the stylesheet and the widgets know the same classes', () => {
  const readAll = (name: string) => {
    const folder = new URL(`../src/${name}/`, import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file));
    return files.map(file => readFileSync(new URL(file, folder), 'utf8')).join('\n');
  };
  const widgets = readAll('widgets') + readAll('lock');
  expect(all(sheet, /\.(dca-[a-z-]+)/g)).toEqual([...all(widgets, /\b(dca-[a-z-]+)\b/g), ...OF_THE_APP].sort());
});

test('every selector stands in :where(), so that any rule of the app wins', () => {
  expect(selectors.length).toBeGreaterThan(20);
  const heavy = selectors
    .flatMap(splitList)
    .filter(
      selector =>
        !/^:where(::(before|after|backdrop|placeholder|file-selector-button))?$/.test(withoutParentheses(selector)),
    );
  expect(heavy).toEqual([]);
  expect(sheet).not.toContain('!important');
});

test('directions are those of the text: the stylesheet names no side and no width', () => {
  expect(sheet.match(/\b(left|right|top|bottom)\b|(?<![-\w])(min-|max-)?(width|height)\s*:/g)).toBeNull();
});

test('a popover or dialog that is as high as its content is no grid: in WebKit it would be as high as the window', () => {
  const rules = [...sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)].filter(([, selector = '']) =>
    splitList(selector).some(one => /:popover-open\)$|\.dca-(confirm|challenge)\)$/.test(one)),
  );
  expect(rules.length).toBeGreaterThan(1);
  expect(rules.filter(([, , body = '']) => /display: grid/.test(body))).toEqual([]);
});

test('each variable has one default, and the guide about styles names both', () => {
  const used = sheet.match(/var\(--dca-/g)?.length;
  const defaults = [...sheet.matchAll(/var\((--dca-[a-z-]+), ((?:[^()]|\([^()]*\))+)\)/g)].map(
    ([, name, value]) => `${name} = ${value}`,
  );
  expect(defaults).toHaveLength(used ?? 0);
  const documented = [...guide.matchAll(/^\| `(--dca-[a-z-]+)` +\| `([^`]+)` +\|/gm)].map(
    ([, name, value]) => `${name} = ${value}`,
  );
  expect(documented.sort()).toEqual([...new Set(defaults)].sort());
});

test('the README shows two pictures of the docs, each with words for those who do not see it', () => {
  const pictures = [...readme.matchAll(/!\[([^\]]*)\]\((docs\/pictures\/[\w-]+\.png)\)/g)];
  expect(pictures).toHaveLength(2);
  for (const [, words = '', file = ''] of pictures) {
    expect(words.length).toBeGreaterThan(40);
    const png = readFileSync(new URL(`../${file}`, import.meta.url));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1280, 800]);
    expect(png.byteLength).toBeLessThan(200_000);
  }
});
