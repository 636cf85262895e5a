import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  engines: { node: string };
};

test('the README has a page, and at most twelve links: to files that exist, and that a reader outside Storybook can read', () => {
  expect(readme.split(/\s+/).length).toBeLessThan(1_200);
  const links = [...readme.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(5);
  expect(links.length).toBeLessThanOrEqual(12);
  const files = links.filter(link => !link.startsWith('https:'));
  expect(files.filter(file => /^stories\/|\.mdx$|\.stories\./.test(file))).toEqual([]);
  expect(files.filter(file => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
});

test('the README installs versions that package.json allows, and names each dependency', () => {
  const installed = [...readme.matchAll(/^npm install (.*)$/gm)].map(([, names = '']) => names.split(' '));
  const both = installed.filter(names => names.includes('data-client-auth'));
  expect(both).toHaveLength(2);
  for (const name of ['@data-client/react', '@data-client/rest']) {
    const versions = both.flat().filter(one => one.startsWith(`${name}@`));
    const allowed = manifest.peerDependencies[name]
      ?.split(' || ')
      .map(range => range.replace(/^\^(\d+\.\d+)\..*/, '$1'));
    expect(versions.map(one => one.slice(name.length + 1)).sort()).toEqual(allowed?.sort());
  }
  expect(Object.keys(manifest.dependencies).filter(name => !readme.includes(`\`${name}\``))).toEqual([]);
  expect(readme).toContain(`Node ${manifest.engines.node.replace('>=', '')}`);
});

test('the README’s numbers are those of the benchmark', () => {
  const { rows } = JSON.parse(read('docs/benchmark.json')) as { rows: { row: string; lines: (string | number)[][] }[] };
  const number = (row: string, line: string, column: number) =>
    Number(rows.find(one => one.row === row)?.lines.find(([name]) => name === line)?.[column]);
  const cells = [...readme.matchAll(/^\| [^|]+\| +([\d.,]+)(?: x)? \| +([\d.,]+)(?: x)? \|$/gm)].map(([, stock, kit]) =>
    [stock, kit].map(cell => Number(cell?.replace(',', ''))),
  );
  const [stock, kit] = ['stock hookifyResource', 'data-client-auth'];
  const times = [`1,000: ${stock}`, `1,000: ${kit}`].map(line => Number(number('rerender', line, 4).toPrecision(3)));
  expect(cells).toEqual([
    [number('token', 'stock context pattern', 2), number('token', kit, 2)],
    [number('below', stock, 1), number('below', kit, 1)],
    times,
  ]);
});

test('`npm test` of the README is the check that .ci/run makes, with the servers added', () => {
  expect(readme).toMatch(/^npm ci && npm test /m);
  expect(read('.ci/run')).toMatch(/^npm ci\nnpm test -- --servers$/m);
});
