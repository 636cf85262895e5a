/** @jsxRuntime classic */
import React, { Fragment, memo } from 'react';
import { styled } from 'storybook/theming';
import { describeStatus } from './describeStatus.js';
import type { PanelRow, RequestDetails, RequestOutcome } from './PanelNews.js';
import { toneColor, type Tone } from './toneColor.js';

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
export const RequestRow = /* @__PURE__ */ memo(function RequestRow({ row }: { row: PanelRow }) {
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
