import { AnchorMdx } from '@storybook/addon-docs/blocks';

interface ProofProps {
  /** The id of the story, as in its address; several ids for several stories. */
  of: string | readonly string[];
}

/** A badge at the end of a paragraph or in a table. Links to the stories that prove the sentence. */
export function Proof({ of }: ProofProps) {
  const ids = typeof of === 'string' ? [of] : of;
  return (
    <span className="proof">
      {ids.map((id, index) => (
        <span key={id} title={id.replace('--', ': ').replaceAll('-', ' ')}>
          <AnchorMdx href={`?path=/story/${id}`} target="_self">
            {ids.length > 1 ? `Proof ${index + 1}` : 'Proof'}
          </AnchorMdx>
        </span>
      ))}
    </span>
  );
}
