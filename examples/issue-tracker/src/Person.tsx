import type { CSSProperties } from 'react';

/** A real app reads them from its server. */
const NAMES: Readonly<Record<string, string>> = {
  ada: 'Ada Lovelace',
  grace: 'Grace Hopper',
  katherine: 'Katherine Johnson',
  mary: 'Mary Jackson',
  radia: 'Radia Perlman',
};

/** The initials of a person in a circle, and the name. */
export function Person({ id }: { id: string }) {
  const name = NAMES[id] ?? id;
  const initials = name
    .split(' ')
    .map(word => word[0])
    .join('');
  const hue = (Object.keys(NAMES).indexOf(id) * 73 + 220) % 360;
  return (
    <span className="person">
      <span className="avatar" aria-hidden="true" style={{ '--hue': hue } as CSSProperties}>
        {initials}
      </span>
      {name}
    </span>
  );
}
