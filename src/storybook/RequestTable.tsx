/** @jsxRuntime classic */
import React, { Fragment, memo, useId, useLayoutEffect, useRef, type UIEvent } from 'react';
import { styled, type Theme } from 'storybook/theming';
import { describeStatus, type PanelRow, type RequestDetails, type RequestOutcome } from './PanelNews.js';

/** Visually hidden text for screen readers. */
export const Unseen = styled.div({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
});

/** The meaning of a colour. The text always has the same meaning. */
export type Tone = 'plain' | 'muted' | 'positive' | 'negative' | 'warning' | 'info';

/** Colours with a contrast of at least 4.5 to 1 on Storybook's backgrounds. Storybook's theme has only one shade for light and dark. */
const LIGHT: Record<Tone, string> = {
  plain: 'inherit',
  muted: '#59636e',
  positive: '#1a7037',
  negative: '#c0262d',
  warning: '#8a4b00',
  info: '#0b5cad',
};
const DARK: Record<Tone, string> = {
  plain: 'inherit',
  muted: '#a3adb8',
  positive: '#6fcf8e',
  negative: '#ff8f8f',
  warning: '#f0b45a',
  info: '#7cc0ff',
};

export function toneColor(theme: Theme, tone: Tone): string {
  return (theme.base === 'dark' ? DARK : LIGHT)[tone];
}

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

const SECOND_MS = 1000;

/** The positions where a long address may break into the next line. */
const WORD_END = /(?<=[/?&])(?=[^/])/;

/** The cause of a request from an SDK, another library or the story itself. */
const NOT_THE_KIT = 'not sent by the kit';

const TONES: Partial<Record<RequestDetails['cause'], Tone>> = {
  replay: 'warning',
  refresh: 'info',
  restore: 'info',
  login: 'info',
  logout: 'info',
};

const Toned = styled.span<{ tone: Tone }>(({ theme, tone }) => ({
  color: toneColor(theme, tone),
  ...(tone !== 'plain' && tone !== 'muted' && { fontWeight: theme.typography.weight.bold }),
}));

const Code = styled.span(({ theme }) => ({
  fontFamily: theme.typography.fonts.mono,
  fontSize: theme.typography.size.s1,
  fontWeight: 'normal',
}));

const Line = styled.span({ display: 'block' });

const Method = styled.span(({ theme }) => ({ fontWeight: theme.typography.weight.bold, marginInlineEnd: 8 }));

function toneOf(outcome: RequestOutcome): Tone {
  if (outcome === 'pending' || outcome === 'forgotten') return 'muted';
  if (typeof outcome === 'string' && outcome !== 'no answer') return 'plain';
  if (outcome === 'no answer' || outcome >= 400) return 'negative';
  return outcome < 300 ? 'positive' : 'plain';
}

/** Formats the time since the first request. Developers compare it with their logs. */
const seconds = (ms: number) => `+${(ms / SECOND_MS).toFixed(2)} s`;

/** One request as a row of the table. Renders again only when the row changes, because there may be a thousand others. */
const RequestRow = /* @__PURE__ */ memo(function RequestRow({ row }: { row: PanelRow }) {
  const { method, address, outcome, unhandled, sentAt, took, credentials, details, live } = row;
  return (
    <tr>
      <td>{row.id + 1}</td>
      <th scope="row">
        <Code>
          <Method>{method}</Method>
          {address.split(WORD_END).map((part, index) => (
            <Fragment key={index}>
              {part}
              <wbr />
            </Fragment>
          ))}
        </Code>
      </th>
      <td>
        <Toned tone={toneOf(outcome)}>{outcome}</Toned>
        {unhandled && <Line>no handler</Line>}
      </td>
      <td>
        {details ? (
          <Toned tone={TONES[details.cause] ?? 'plain'}>{details.cause}</Toned>
        ) : (
          <Toned tone="muted">{live === undefined ? NOT_THE_KIT : `live, ${live}`}</Toned>
        )}
      </td>
      <td>{details?.attempt ?? '–'}</td>
      <td>
        {credentials.length === 0 ? (
          <Toned tone="muted">none</Toned>
        ) : (
          credentials.map(credential => (
            <Line key={credential}>
              <Code>{credential}</Code>
            </Line>
          ))
        )}
      </td>
      <td>{details?.status ? describeStatus({ status: details.status, reason: details.reason }) : '–'}</td>
      <td>{seconds(sentAt)}</td>
      <td>{took === undefined ? '–' : `${took} ms`}</td>
    </tr>
  );
});

/** A scroll position within this distance of the end counts as the end. */
const NEAR_PX = 24;

/** Scrolls to the newest row while the reader is at the end. If the list already has rows when it opens, it starts at the first row. */
// No declared result: the types of React 18 and 19 name the ref of an element differently.
export function useStickToEnd<E extends HTMLElement>(length: number) {
  const ref = useRef<E>(null);
  const isAtEnd = useRef(length === 0);
  useLayoutEffect(() => {
    if (length === 0) isAtEnd.current = true;
    const element = ref.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [length]);
  return {
    ref,
    onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<E>) => {
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    },
  };
}
