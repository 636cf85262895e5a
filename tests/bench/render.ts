import { decisive, isReached, type Check, type Measured, type Result } from './Result.js';
import { TARGETS } from './targets.js';

/** Three figures that count, and whole numbers as they are. */
function figure(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

const spaced = (value: number, unit: Check['unit']) => [figure(value), unit].filter(Boolean).join(' ');

/** The measured value, with the quartiles of the rounds. */
function measuredValue({ measured, quartiles, unit }: Check): string {
  const range = quartiles && ` (${figure(quartiles[0])} to ${figure(quartiles[1])})`;
  return `${spaced(measured, unit)}${range ?? ''}`;
}

/** In words: what was to be reached, and whether it was. */
function verdict(check: Check): string {
  const { what, measured, quartiles, unit, atMost, atLeast } = check;
  const wanted = `${atLeast === undefined ? 'at most ' : ''}${spaced(atMost, unit)}`;
  const said = quartiles
    ? `${what}, ${spaced(measured, unit)}, quartiles ${quartiles.map(figure).join(' to ')}`
    : `${what}, ${spaced(measured, unit)}`;
  if (isReached(check)) return `reached: ${said} (${wanted})`;
  const value = decisive(check);
  const by =
    unit === '%'
      ? `${figure(value - atMost)} points`
      : atMost === 0 || value < atMost
        ? figure(Math.abs(value - atMost))
        : `${figure((value / atMost - 1) * 100)} %`;
  return `missed by ${by}${quartiles && measured <= atMost ? ' of its upper quartile' : ''}: ${said} (${wanted})`;
}

/** The result as lines for a terminal. */
export function renderText({ machine, rows }: Result): string {
  const blocks = rows.map(({ row, columns, lines, checks }) => {
    const cells = [columns, ...lines.map(([name, ...numbers]) => [name, ...numbers.map(figure)])];
    const widths = columns.map((_, column) => Math.max(...cells.map(line => line[column]!.length)));
    const table = cells.map(line =>
      line.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[0]!))).join('  '),
    );
    return [TARGETS.find(target => target.row === row)?.what, ...table, ...checks.map(check => `-> ${verdict(check)}`)]
      .map((line, place) => (place ? `  ${line}` : line))
      .join('\n');
  });
  return [
    Object.entries(machine)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; '),
    ...blocks,
  ].join('\n\n');
}

/** What the page leaves out: quartiles say more than extremes, and the sizes of single modules are for those who change them. */
function withoutDetails({ columns, lines }: Measured): Pick<Measured, 'columns' | 'lines'> {
  const isShown = (column: number) => !['least', 'most'].includes(columns[column]!);
  return {
    columns: columns.filter((_, column) => isShown(column)),
    lines: lines
      .filter(([name]) => !name.includes('`dist/'))
      .map(([name, ...numbers]) => [name, ...numbers.filter((_, index) => isShown(index + 1))] as const),
  };
}

/** The result as a page of the docs. */
export function renderPage({ measuredOn, machine, versions, rounds, rows }: Result): string {
  const all = rows.flatMap(({ checks }) => checks);
  const summary = TARGETS.map(({ row, what, toReach }) => {
    const { checks = [] } = rows.find(measured => measured.row === row) ?? {};
    const reached = checks.map(
      check => `${check.what}: ${measuredValue(check)}${isReached(check) ? '' : ', **missed**'}`,
    );
    return `| ${what} | ${toReach} | ${reached.join('; ')} |`;
  });
  const sections = TARGETS.flatMap(({ row, what, how, why = {} }) => {
    const measured = rows.find(({ row: name }) => name === row);
    if (!measured) return [];
    const { columns, lines } = withoutDetails(measured);
    const missed = measured.checks.filter(check => !isReached(check));
    return [
      `## ${what[0]!.toUpperCase()}${what.slice(1)}`,
      how,
      [
        `| ${columns.join(' | ')} |`,
        `|${columns.map((_, column) => (column ? '---:' : '---')).join('|')}|`,
        ...lines.map(([name, ...numbers]) => `| ${name} | ${numbers.map(figure).join(' | ')} |`),
      ].join('\n'),
      ...missed.map(check => `- ${verdict(check)}.${why[check.what] ? ` ${why[check.what]}` : ''}`),
    ];
  });
  return `${[
    '# Benchmark',
    '<!-- Generated from benchmark.json by `npm run bench`. -->',
    `Measured on ${measuredOn} in Chromium ${machine.chromium}, in a production build, on ${machine.cores} cores of an ${machine.cpu} with ${machine.memoryGB} GB (${machine.os}, Node ${machine.node}; load before the run: ${machine.loadBefore}). ${all.filter(isReached).length} of ${all.length} targets are reached.`,
    '![Bars: how long the kit takes beside data-client alone, and other libraries beside it. The tables below have the numbers.](pictures/benchmark.svg)',
    ['| what | to reach | measured |', '|---|---|---|', ...summary].join('\n'),
    `**How to read it.** Milliseconds are this machine’s; ratios and counts mean something elsewhere. A time is the median of ${rounds} rounds, in which all variants take turns. A ratio has reached its target when its upper quartile has. Sections name the targets that are missed, and why. \`npm run bench\` measures again and writes this page.`,
    ...sections,
    '## Versions',
    Object.entries(versions)
      .map(([name, version]) => `\`${name}\` ${version}`)
      .join(', ') + '.',
  ].join('\n\n')}\n`;
}
