import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

/** The pages for people who change the kit. */
const pages = [
  ...readdirSync(ROOT).filter(file => file.endsWith('.md')),
  ...readdirSync(new URL('docs/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/${file}`),
];

test.each(pages)('%s links to files that exist', file => {
  // `../../security` is an address of GitHub's, beside the files.
  const links = [...read(file).matchAll(/\]\((?!https:|#|\.\.\/\.\.\/security\/)([^)\s#]+)/g)].map(
    ([, link = '']) => link,
  );
  expect(links.filter(link => !existsSync(new URL(link, new URL(file, ROOT))))).toEqual([]);
});

test('docs/architecture.md names files and scripts that exist', () => {
  const text = read('docs/architecture.md');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const sources = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' })
    .map(file => `/src/${file.replaceAll('\\', '/')}`)
    .concat(readdirSync(new URL('tests/session/', ROOT)).map(file => `/tests/session/${file}`));
  const files = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(file => !sources.some(source => source.endsWith(`/${file}`)))).toEqual([]);
  const commands = [...text.matchAll(/`(?:npm run )?((?:test|lint)(?::[\w-]+)?)`/g)].map(([, name = '']) => name);
  expect(commands.filter(name => !(name in scripts))).toEqual([]);
});

test('each decision is in the table, under its title', () => {
  const table = read('docs/decisions/README.md').replace(/ +/g, ' ');
  const decisions = readdirSync(new URL('docs/decisions/', ROOT)).filter(file => /^\d/.test(file));
  const rows = decisions.map(file => {
    const [, number, title] = /^# (\d+)\. (.*)$/m.exec(read(`docs/decisions/${file}`)) ?? [];
    return `| [${number}](${file}) | ${title} |`;
  });
  expect(rows.filter(row => !table.includes(row))).toEqual([]);
});

test('the repository has the same owner wherever it is named', () => {
  const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
  const [, owner = ''] = /github\.com\/([^/]+)\//.exec(repository.url) ?? [];
  const named = ['package.json', '.github/ISSUE_TEMPLATE/config.yml', ...pages]
    .flatMap(file => [
      ...read(file).matchAll(/github\.com\/([\w-]+)\/data-client-auth|([\w-]+)\.github\.io\/data-client-auth/g),
    ])
    .map(([, inAddress, inPages]) => inAddress ?? inPages);
  expect(named.length).toBeGreaterThan(3);
  expect(new Set(named)).toEqual(new Set([owner]));
});
