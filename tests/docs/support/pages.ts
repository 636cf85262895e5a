import { readdirSync, readFileSync } from 'node:fs';

/** Where the living docs are. */
export const STORIES = new URL('../../../stories/', import.meta.url);

/** A page of the docs. */
export interface Page {
  /** Its path below `stories/`. */
  readonly file: string;
  readonly text: string;
}

/** The files below `stories/` with this ending. */
export function storyFiles(ending: string): Page[] {
  return readdirSync(STORIES, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith(ending))
    .sort()
    .map(file => ({ file, text: readFileSync(new URL(file, STORIES), 'utf8') }));
}
