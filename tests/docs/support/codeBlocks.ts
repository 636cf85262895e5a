import type { Page } from './pages.js';

/** A fenced block of code on a page. */
export interface CodeBlock {
  readonly language: string;
  /** The name after the language, by which other blocks of the page import it: “ts session.ts”. */
  readonly name: string | undefined;
  readonly code: string;
  /** The line of the page on which its code starts, from 1. */
  readonly line: number;
}

/** The fenced blocks of a page, from top to bottom. */
export function codeBlocks({ text }: Page): CodeBlock[] {
  return [...text.matchAll(/^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = '', 2: name, 3: code = '' }) => ({
      language,
      name: name || undefined,
      code,
      line: text.slice(0, index).split('\n').length + 1,
    }),
  );
}
