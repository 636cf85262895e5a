const texts = import.meta.glob<string>('../{mechanisms,providers}/shown/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const textOf = new Map(Object.entries(texts).map(([path, text]) => [path.replace(/^.*\//, ''), text]));

/** The docs show these files of a folder `shown/` instead of the story's own code, with the imports of an app. */
export function sourceOf(...names: string[]) {
  const code = names
    .map(name => {
      const text = textOf.get(name);
      if (text === undefined) throw new Error(`No folder "shown" has a file ${name}.`);
      return text
        .trim()
        .replace(/'(?:\.\.\/)+src\/(?:index|entries(\/[\w-]+))\.js'/g, "'data-client-auth$1'")
        .replace(/'(?:\.\.?\/)+(?:support\/)?(\w+)\.js'/g, "'./$1'");
    })
    .join('\n\n');
  return { docs: { source: { code, language: 'tsx' } } };
}

/** The same for an example whose frame needs this height on a phone, in pixels. */
export function shown(height: number, ...names: string[]) {
  const { docs } = sourceOf(...names);
  return { docs: { ...docs, story: { height: `${height}px` } } };
}
