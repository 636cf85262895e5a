import { decisive, isReached, type Check, type Result } from './Result.js';
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

/** The result as a page of the docs. */
export function renderPage({ measuredOn, machine, versions, rounds, rows }: Result): string {
  const all = rows.flatMap(({ checks }) => checks);
  const summary = TARGETS.map(({ row, what, beside, toReach }) => {
    const { checks = [] } = rows.find(measured => measured.row === row) ?? {};
    const reached = checks.map(
      check => `${check.what}: ${measuredValue(check)}${isReached(check) ? '' : ', **missed**'}`,
    );
    return `| ${what} | ${beside} | ${toReach} | ${reached.join('; ')} |`;
  });
  const sections = TARGETS.flatMap(({ row, what, how, why = {} }) => {
    const measured = rows.find(({ row: name }) => name === row);
    if (!measured) return [];
    const { columns, lines, checks } = measured;
    return [
      `## ${what[0]!.toUpperCase()}${what.slice(1)}`,
      how,
      [
        `| ${columns.join(' | ')} |`,
        `|${columns.map((_, column) => (column ? '---:' : '---')).join('|')}|`,
        ...lines.map(([name, ...numbers]) => `| ${name} | ${numbers.map(figure).join(' | ')} |`),
      ].join('\n'),
      checks
        .map(check => `- ${verdict(check)}.${isReached(check) || !why[check.what] ? '' : ` ${why[check.what]}`}`)
        .join('\n'),
    ];
  });
  return `${[
    '# Benchmark',
    '<!-- Generated from benchmark.json by `npm run bench`. -->',
    `Measured on ${measuredOn} in Chromium ${machine.chromium}, in a production build, on ${machine.cores} cores of an ${machine.cpu} with ${machine.memoryGB} GB (${machine.os}, Node ${machine.node}; load before the run: ${machine.loadBefore}). ${all.filter(isReached).length} of ${all.length} targets are reached.`,
    '![Bars: how long the kit takes beside data-client alone, and other libraries beside it. The tables below have the numbers.](pictures/benchmark.svg)',
    ['| what | beside | to reach | measured |', '|---|---|---|---|', ...summary].join('\n'),
    `**How to read it.** Only ratios and counts mean something elsewhere: milliseconds are this machine’s. All variants of a row are measured in one run, in turns; a time is the median of ${rounds} rounds after warm-up, where a round is the median of up to five takes, a ratio the median of the rounds’ own ratios, with the quartiles between which half of them are. A ratio has reached its target when its upper quartile has. \`npm run bench\` measures again and writes this page. \`npm run bench -- --quick\` takes three rounds and writes nothing.`,
    ...sections,
    '## Versions',
    Object.entries(versions)
      .map(([name, version]) => `\`${name}\` ${version}`)
      .join(', ') + '.',
  ].join('\n\n')}\n`;
}
