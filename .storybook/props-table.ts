// The props tables of the docs, made from TSDoc.
import type { ArgTypes, ArgTypesEnhancer } from 'storybook/internal/types';
import type { DeleteMode, Pagination } from '../src/entries/widgets.js';

/** The members of a union as text. A missing or unknown member does not compile. */
const union = <T extends string>(members: Record<T, true>) =>
  Object.keys(members)
    .map(member => `'${member}'`)
    .join(' | ');

/** Texts that a table shows in place of the name of a type. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  DeleteMode: union<DeleteMode>({ immediate: true, confirm: true, undo: true }),
  Pagination: `${union<Extract<Pagination, string>>({ append: true, scroll: true, pages: true })} | { page?, onPageChange? }`,
  'CreateOption<R>': '{ push: fields | function } | { unshift: fields | function }',
  R: 'hookified resource',
  A: 'name of an endpoint',
};

/** The result of react-docgen for a component. */
interface Documented {
  __docgenInfo?: { props?: Record<string, { description?: string }> };
}

/** The type of a prop as in the source. The name of a prop shows if it is optional. */
function typeOf({ type, table }: ArgTypes[string]): string | undefined {
  const { raw } = (type ?? {}) as { raw?: string };
  const written = (raw ?? table?.type?.summary)?.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/s, '$1');
  return written && (SPELLED_OUT[written] ?? written);
}

/** Only texts and booleans have a control. Sessions, resources, elements and functions cannot be written as JSON. */
function controlOf(type: string | undefined): false | { type: 'text' | 'boolean' } {
  if (type === 'string') return { type: 'text' };
  return type === 'boolean' ? { type: 'boolean' } : false;
}

/** Replaces the other TSDoc tags by words. */
const inWords = (description: string) => description.replace(/@throws\b/g, 'Throws').replace(/@see\b/g, 'See');

/** Adds the written type, and `@default` in words in a column of its own. Runs after Storybook has chosen the controls. */
export const describeProps: ArgTypesEnhancer = ({ argTypes, component }) => {
  const documented = (component as Documented | undefined)?.__docgenInfo?.props ?? {};
  return Object.fromEntries(
    Object.entries(argTypes).map(([name, argType]) => {
      // Storybook leaves out a tag on a line of its own.
      const text = documented[name]?.description ?? argType.description;
      const [description, defaultValue] = text?.split(/\s*@default\s+/) ?? [];
      const type = typeOf(argType);
      const table = {
        ...argType.table,
        ...(type !== undefined && { type: { summary: type } }),
        ...(defaultValue !== undefined && { defaultValue: { summary: defaultValue.replaceAll('`', '') } }),
      };
      const shown = description !== undefined && { description: inWords(description) };
      return [name, { ...argType, ...shown, table, control: controlOf(type) }];
    }),
  );
};
describeProps.secondPass = true;
