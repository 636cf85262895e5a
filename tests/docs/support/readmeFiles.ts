import { codeBlocks } from './codeBlocks.js';

/** The files of the README's two apps, by their names: the app with a widget replaces one file of the app with a hook. */
export function readmeFiles(text: string): { hook: Map<string, string>; widget: Map<string, string> } {
  const blocks = codeBlocks({ file: 'README.md', text }).flatMap(({ name, code }) =>
    name ? [[name, code] as const] : [],
  );
  return { hook: new Map([...blocks].reverse()), widget: new Map(blocks) };
}
