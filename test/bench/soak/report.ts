import { printable } from '../../../src/cli/printable.js';
import { table } from '../../../src/cli/table.js';
import { page } from '../page.js';
import { plot, type Band, type Series } from '../plot.js';
import { median } from '../quantile.js';
import { faultsOf, judgedRule, type Soak } from './judge.js';
import { flatRule } from './memory.js';
import {
  answers,
  auditLine,
  headline,
  kindRows,
  memoryRows,
  plotted,
  spellNote,
  spellRows,
  type Rows,
} from './rows.js';
import type { Second } from './tally.js';

/** For a terminal of 100 columns. */
export function reportText(soak: Soak): string {
  const faults = faultsOf(soak);
  const spells = spellRows(soak);
  // What was answered stands in lines of its own: there may be much.
  const broken = spells.rows.map(
    ([name, times, seconds, errors]) => `  ${name}: ${times} times, ${seconds} s; ${errors}`,
  );
  return [
    headline(soak),
    drawn(kindRows(soak)),
    ...answers(soak).map((each) => `  ${each.kind}: ${each.answers}`),
    '',
    auditLine(soak),
    ...(broken.length === 0 ? [] : ['', 'Faults, and the errors that they explain:', ...broken, spellNote]),
    '',
    drawn(memoryRows(soak)),
    `${flatRule} ${judgedRule}`,
    '',
    faults.length === 0 ? 'All is well.' : `Not well:\n${faults.map((fault) => `  ${printable(fault)}`).join('\n')}`,
  ].join('\n');
}

const drawn = ({ headings, rows }: Rows): string => table(headings, rows);

/** The same with plots, as one file that needs no other. */
export function reportHtml(soak: Soak): string {
  const title = `Verdict: soak of ${new Date().toISOString().slice(0, 10)}`;
  const faults = faultsOf(soak);
  const verdict =
    faults.length === 0
      ? '<p class="verdict">All is well.</p>'
      : `<div class="verdict bad">Not well:<ul>${faults.map((fault) => `<li>${escaped(fault)}</li>`).join('')}</ul></div>`;
  const kinds = { headings: ['', 'answers'], rows: answers(soak).map((each) => [each.kind, each.answers]) };
  const broken =
    soak.spells.length === 0
      ? ''
      : `<h2>Faults</h2>\n${tableHtml(spellRows(soak))}\n<p>${spellNote} In the plots, faults are red.</p>`;
  return page(
    title,
    `<h1>${title}</h1>
${verdict}
<p>${escaped(headline(soak))}</p>
<p>${auditLine(soak)}</p>
<div class="plots">${plots(soak).join('\n')}</div>
<h2>Requests</h2>
${tableHtml(kindRows(soak))}
<h2>Answers</h2>
${tableHtml(kinds)}
${broken}
<h2>Memory</h2>
${tableHtml(memoryRows(soak))}
<p>${flatRule} ${judgedRule}</p>`,
  );
}

function plots(soak: Soak): string[] {
  const { seconds, spells } = soak;
  const step = stepOf(seconds.length);
  const bands: Band[] = spells.map(({ name, fromMs, untilMs }) => ({
    name: `${name}, ${(fromMs / 1000).toFixed(1)} s to ${(untilMs / 1000).toFixed(1)} s`,
    from: fromMs / 1000 / step,
    to: untilMs / 1000 / step,
  }));
  const over = (name: string, value: (second: Second) => number): Series => ({
    name,
    points: thinned(seconds.map((second) => ({ at: second.at, y: value(second) }))),
  });
  return [
    plot('Requests per second', 'seconds', [over('requests', ({ requests }) => requests)], bands),
    plot(
      'Latency, milliseconds',
      'seconds',
      [over('p50', ({ p50Ms }) => p50Ms), over('p99', ({ p99Ms }) => p99Ms)],
      bands,
    ),
    ...plotted(soak).map(([name, samples]) =>
      plot(`Memory of ${name}, MB`, 'seconds', [
        { name, points: thinned(samples.map(({ at, mb }) => ({ at, y: mb }))) },
      ]),
    ),
  ];
}

/** First columns and those of words are on the left, numbers on the right. */
function tableHtml({ headings, rows }: Rows): string {
  const isText = (column: number): boolean => rows.some((row) => /[a-z]{2}/.test(row[column] ?? ''));
  const cells = (tag: 'td' | 'th', row: readonly string[]): string =>
    row.map((text, column) => `<${tag}${isText(column) ? ' class="text"' : ''}>${escaped(text)}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
  return `<table><thead><tr>${cells('th', headings)}</tr></thead><tbody>${body}</tbody></table>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const maxPoints = 120;

const stepOf = (points: number): number => Math.max(1, Math.ceil(points / maxPoints));

/** Medians of neighbours, so that a plot of an hour can be read. */
function thinned(points: readonly { readonly at: number; readonly y: number }[]): Series['points'] {
  const step = stepOf(points.length);
  const kept: { x: string; y: number }[] = [];
  for (let from = 0; from < points.length; from += step) {
    const some = points.slice(from, from + step);
    kept.push({ x: String(Math.round(some[0]?.at ?? 0)), y: median(some.map(({ y }) => y)) });
  }
  return kept;
}
