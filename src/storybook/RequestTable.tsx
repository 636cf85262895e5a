/** @jsxRuntime classic */
import React, { useId } from 'react';
import { styled } from 'storybook/theming';
import type { PanelRow } from './PanelNews.js';
import { RequestRow } from './RequestRow.js';
import { toneColor } from './toneColor.js';
import { Unseen } from './Unseen.js';
import type { useStickToEnd } from './useStickToEnd.js';

/** Header and width (in pixels) of each column. The widths are fixed, so that a new row does not move the others. */
const COLUMNS: readonly [string, number][] = [
  ['#', 40],
  ['Request', 224],
  ['Status', 76],
  ['Cause', 90],
  ['Attempt', 80],
  ['Credential', 190],
  ['Session', 124],
  ['Sent', 74],
  ['Took', 72],
];
const TABLE_WIDTH = /* @__PURE__ */ COLUMNS.reduce((sum, [, width]) => sum + width, 0);

const Scroll = styled.div(({ theme }) => ({
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  '&:focus-visible': { outline: `2px solid ${toneColor(theme, 'info')}`, outlineOffset: -2 },
}));

const Table = styled.table(({ theme }) => ({
  tableLayout: 'fixed',
  width: '100%',
  minWidth: TABLE_WIDTH,
  borderCollapse: 'separate',
  borderSpacing: 0,
  fontSize: theme.typography.size.s2,
  lineHeight: '18px',
  '& th, & td': {
    padding: '6px 8px',
    textAlign: 'start',
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
    fontWeight: 'normal',
    borderBottom: `1px solid ${theme.appBorderColor}`,
  },
  '& td:first-of-type, & td:nth-last-of-type(-n+2)': {
    fontVariantNumeric: 'tabular-nums',
    color: toneColor(theme, 'muted'),
  },
  '& thead th': {
    position: 'sticky',
    top: 0,
    background: theme.background.content,
    color: toneColor(theme, 'muted'),
    fontWeight: theme.typography.weight.bold,
  },
}));

interface RequestTableProps {
  rows: readonly PanelRow[];
  /** How many older requests are not listed any more. */
  dropped: number;
  /** Keeps the newest row in view. */
  stickToEnd: ReturnType<typeof useStickToEnd<HTMLDivElement>>;
}

/** The requests, oldest first. */
export function RequestTable({ rows, dropped, stickToEnd }: RequestTableProps) {
  const caption = useId();
  return (
    // Focusable, so that the arrow keys scroll the table.
    <Scroll {...stickToEnd} tabIndex={0} role="region" aria-labelledby={caption}>
      <Table>
        <Unseen as="caption" id={caption}>
          Requests, oldest first{dropped > 0 && `, without the first ${dropped}`}
        </Unseen>
        <colgroup>
          {COLUMNS.map(([name, width]) => (
            <col key={name} style={name === 'Request' ? undefined : { width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {COLUMNS.map(([name]) => (
              <th key={name} scope="col" aria-label={name === '#' ? 'Number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <RequestRow key={row.id} row={row} />
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}
