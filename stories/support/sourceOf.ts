/** The docs show these files instead of the story's own code, with the imports of an app. */
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

/** The same for an example whose frame needs this height on a phone, in pixels. */
export function shown(height: number, ...files: string[]) {
  const { docs } = sourceOf(...files);
  return { docs: { ...docs, story: { height: `${height}px` } } };
}
