import type { Result } from './Result.js';
import { KIT } from './support/checks.js';

const WIDTH = 760;
const LABEL = 270;
const BAR = 14;
const LINE = 20;
const TITLE = 34;
const CAPTION = 20;
/** Longer bars are cut, and say how long they are. */
const MOST = 3;

interface Group {
  row: string;
  title: string;
  /** The column of the row's table that has the ratio. */
  column: RegExp;
  /** The lines to show. @default all */
  lines?: RegExp;
}

const GROUPS: readonly Group[] = [
  { row: 'rerender', title: '10,000 rows with three hooks each render again', column: /^x /, lines: /^10,000/ },
  { row: 'request', title: 'CPU time of one request', column: /^x /, lines: /^(bare RestEndpoint|data-client-auth)$/ },
  { row: 'burst', title: '200 requests meet an expired token', column: /^x / },
  { row: 'expiry', title: '1,000 mounted widgets meet one expiry', column: /^x / },
  { row: 'switch', title: 'Another user’s first row, with 1,000 rows on the screen', column: /^x / },
  { row: 'append', title: 'CPU time of 100 rows more in a list of 10,000', column: /^x /, lines: /^10,000/ },
  { row: 'coldStart', title: 'The first row at a cold start with a cookie', column: /^x / },
];

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '');

/** The bars of one group: each as long as the ratio, the kit's in its own colour. */
function drawGroup({ title, lines }: { title: string; lines: readonly (readonly [string, number])[] }, top: number) {
  const px = (x: number) => ((WIDTH - LABEL - 60) * Math.min(x, MOST)) / MOST;
  const rows = lines.map(([name, x], index) => {
    const y = top + TITLE + index * LINE;
    const isKit = name.startsWith(KIT) || name === 'PaginatedList';
    return [
      `<text x="${LABEL - 8}" y="${y + 11}" text-anchor="end"${isKit ? ' class="kit-name"' : ''}>${escape(name)}</text>`,
      `<rect x="${LABEL}" y="${y}" width="${px(x).toFixed(1)}" height="${BAR}" class="${isKit ? 'kit' : 'other'}"/>`,
      `<text x="${(LABEL + px(x) + 6).toFixed(1)}" y="${y + 11}">${x.toFixed(x < 10 ? 2 : 1)} x${x > MOST ? ' →' : ''}</text>`,
    ].join('\n');
  });
  return [`<text x="0" y="${top + 24}" class="title">${escape(title)}</text>`, ...rows].join('\n');
}

/** The result as a picture of bars, for light and dark pages. */
export function renderPicture({ rows }: Result): string {
  let top = CAPTION;
  const groups: string[] = [];
  for (const { row, title, column, lines: shown = /^/ } of GROUPS) {
    const measured = rows.find(({ row: name }) => name === row);
    const index = measured?.columns.findIndex(name => column.test(name)) ?? -1;
    if (!measured || index < 0) continue;
    const lines = measured.lines
      .filter(([name]) => shown.test(name))
      .map(line => [line[0].replace(/^[\d,]+: /, ''), line[index] as number] as const);
    groups.push(drawGroup({ title, lines }, top));
    top += TITLE + lines.length * LINE + 8;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" aria-label="Benchmark: ratios beside the first bar of each group">
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; font-size: 13px; }
.kit-name { font-weight: 600; }
.kit { fill: #1f6feb; }
.other { fill: #afb8c1; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .kit { fill: #58a6ff; }
  .other { fill: #57606a; }
}
</style>
<text x="0" y="14">Shorter is faster. Each bar is beside the first one of its group; bars beyond ${MOST} x are cut (→).</text>
${groups.join('\n')}
</svg>
`;
}
