import { storyNameFromExport, toId } from 'storybook/internal/csf';
import { loadCsf } from 'storybook/internal/csf-tools';
import { storyFiles } from './pages.js';

/** The ids of a stories file: of its docs page, and of each of its stories. */
function idsIn(text: string, fileName: string): { docs: string; stories: string[] } {
  const csf = loadCsf(text, { fileName, makeTitle: title => title }).parse();
  const title = csf.meta.title ?? '';
  const names = Object.keys(csf._stories);
  return { docs: toId(title, 'docs'), stories: names.map(name => toId(title, storyNameFromExport(name))) };
}

/** Every address that Storybook serves: `/story/<id>` and `/docs/<id>`. */
export function addresses(): Set<string> {
  const files = [...storyFiles('.stories.tsx'), ...storyFiles('.stories.ts')].map(({ file, text }) =>
    idsIn(text, file),
  );
  const pages = storyFiles('.mdx').map(({ text }) => /<Meta title="([^"]+)"/.exec(text)?.[1] ?? '');
  return new Set([
    ...files.flatMap(({ docs, stories }) => [`/docs/${docs}`, ...stories.map(id => `/story/${id}`)]),
    ...pages.map(title => `/docs/${toId(title, 'docs')}`),
  ]);
}
