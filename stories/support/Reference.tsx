import { Markdown } from '@storybook/addon-docs/blocks';
import type { ReactNode } from 'react';
import type { ReferenceEntry, ReferenceMember } from '../../.storybook/reference';
import { Searchable } from './Searchable';

const idOf = (name: string) => name.toLowerCase().replace(/\W+/g, '-');

/** A reader knows the function better than the type of its options. */
const headingOf = ({ name, takenBy }: ReferenceEntry) =>
  takenBy.length > 0 ? takenBy.map(taker => `${taker}()`).join(', ') : name;

const introduction = ({ name, takenBy, text, entry }: ReferenceEntry) =>
  [takenBy.length > 0 && `Takes \`${name}\`.`, text, entry !== 'data-client-auth' && `From \`${entry}\`.`]
    .filter(Boolean)
    .join(' ');

function Member({ name, type, text, defaultValue }: ReferenceMember) {
  return (
    <tr>
      <td>
        <code>{name}</code>
      </td>
      <td>
        <code>{type}</code>
        <Markdown>{[text, defaultValue && `_Default:_ ${defaultValue}`].filter(Boolean).join('\n\n')}</Markdown>
      </td>
    </tr>
  );
}

/** What the types say: a heading and a table for each of them. */
export function Reference({ entries }: { entries: readonly ReferenceEntry[] }) {
  return (
    <Searchable>
      {entries.map(entry => (
        <section key={entry.name}>
          <h2 id={idOf(entry.name)}>{headingOf(entry)}</h2>
          <Markdown>{introduction(entry)}</Markdown>
          <Table heads={['Name', 'Type, and what it does']}>
            {entry.members.map(member => (
              <Member key={member.name} {...member} />
            ))}
          </Table>
        </section>
      ))}
    </Searchable>
  );
}

/** The errors that code can catch, and what errors and warnings say. */
export function Errors({ errors, sentences }: { errors: readonly ReferenceEntry[]; sentences: readonly string[] }) {
  return (
    <Searchable>
      <h2 id="classes">Classes</h2>
      <p>
        Those that code may catch are exported. The others are for a mistake in the code, and have their class as
        `name`.
      </p>
      <Table heads={['Error', 'Meaning']}>
        {errors.map(({ name, text }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              <Markdown>{text}</Markdown>
            </td>
          </tr>
        ))}
      </Table>
      <h2 id="sentences">Sentences</h2>
      <p>“…” is for names and values of your app. Most warnings are written in development only.</p>
      <Table heads={['What happened, and the remedy']}>
        {sentences.map(sentence => (
          <tr key={sentence}>
            <td>{sentence}</td>
          </tr>
        ))}
      </Table>
    </Searchable>
  );
}

function Table({ heads, children }: { heads: readonly string[]; children: ReactNode }) {
  return (
    <table>
      <thead>
        <tr>
          {heads.map(head => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
