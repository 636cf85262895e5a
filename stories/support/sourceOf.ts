/** Shows these files in the docs in place of a story's own code, with imports as a reader of the kit writes them. */
export function sourceOf(...files: string[]) {
  const code = files
    .map(file =>
      file
        .trim()
        .replace(/'(\.\.\/)+src\/index\.js'/g, "'data-client-auth'")
        .replace(/'(?:\.\.?\/)+(?:support\/)?(\w+)\.js'/g, "'./$1'"),
    )
    .join('\n\n');
  return { docs: { source: { code, language: 'tsx' } } };
}

/** The same for an example whose frame on the docs page needs this height, in pixels, on a phone. */
export function shown(height: number, ...files: string[]) {
  const { docs } = sourceOf(...files);
  return { docs: { ...docs, story: { height: `${height}px` } } };
}
