// In the Markdown of the docs, the name of a file stands behind the language of its code. Storybook does not show it.

interface MarkdownNode {
  readonly type: string;
  /** Of a block of code: what stands behind the language. */
  readonly meta?: string | null;
  children?: MarkdownNode[];
}

/** A remark plugin that writes the name of a file above its code. */
export const fileNames = () => addFileNames;

function addFileNames(node: MarkdownNode): void {
  if (!node.children) return;
  node.children.forEach(addFileNames);
  node.children = node.children.flatMap(child =>
    child.type === 'code' && child.meta ? [fileName(child.meta), child] : [child],
  );
}

const fileName = (name: string) => ({
  type: 'paragraph',
  data: { hProperties: { className: 'file-name' } },
  children: [{ type: 'text', value: name }],
});
