// The test runner opens a page for each file of tests it has made from the index of a static build, one file a title. Opening
// one takes as long as six stories do; as a reader goes from story to story in one page, so do the tests.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts the tests of all files in as many files as there are pages, each with about as many stories as the others.
 * @param {string} folder of the `*.test.js` files, which are replaced
 * @param {number} pages
 */
export function sharePages(folder, pages) {
  const files = readdirSync(folder).map(name => join(folder, name));
  const titles = files.map(file => readFileSync(file, 'utf8')).sort((a, b) => b.length - a.length);
  const shares = Array.from({ length: pages }, () => '');
  for (const tests of titles) {
    const smallest = shares.reduce((least, share, index) => (share.length < shares[least].length ? index : least), 0);
    shares[smallest] += `${tests}\n`;
  }
  files.forEach(file => rmSync(file));
  shares.forEach((tests, index) => writeFileSync(join(folder, `page-${index + 1}.test.js`), tests));
}
