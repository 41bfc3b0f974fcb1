import { formatJson } from '../../../workers/json/index.js';
import { barPlot, pairPlot } from './plots.js';
import { escaped } from '../../api/printed.js';
import { outcomeNames, outcomes, percent, type Report } from './report.js';
import { differenceOf } from './reportText.js';

export interface ReportedReplay {
  readonly id: string;
  readonly status: string;
  readonly report: Report;
  readonly createdAt: string;
  readonly request: object;
}

/** Places that are drawn; the others are in the table. */
const drawn = 12;

/** A report as an HTML page that needs no other file, light or dark as its reader's system is. */
export function reportPage({ id, status, report, createdAt, request }: ReportedReplay): string {
  const { replayed, fields, transitions, measures, engine, skipped } = report;
  const bars = fields.slice(0, drawn).map(({ pointer, count }) => ({ name: pointer || 'the whole', value: count }));
  const ms = (of: 'p50' | 'p99') => ({ name: of, before: engine.before[of], after: engine.after[of] });
  const plots = [
    barPlot(
      `Outcomes of ${replayed} executions`,
      outcomes.map((outcome) => ({ name: outcomeNames[outcome], value: report[outcome], kind: outcome })),
    ),
    ...(bars.length === 0 ? [] : [barPlot('Places that changed', bars)]),
    pairPlot('Time in the engine, ms', [ms('p50'), ms('p99')]),
    // Each on a scale of its own.
    ...measures.map((measure) => pairPlot(measure.name, [{ ...measure, name: '' }])),
  ];
  return page(
    `Replay ${id}`,
    [
      `<h1>What would change?</h1>`,
      `<p>Replay <code>${escaped(id)}</code> of ${escaped(createdAt)}: ${escaped(status.toLowerCase())}. `,
      `${summary(report)}</p>`,
      `<div class="plots">${plots.join('\n')}</div>`,
      section(
        'Transitions, the most frequent first',
        ['place', 'before', 'after', 'count', 'share'],
        [
          ...transitions.map(({ pointer, before, after, hash, count }) => [
            pointer,
            hash ?? shown(before),
            hash ?? shown(after),
            count,
            percent(count, replayed),
          ]),
        ],
      ),
      section(
        'Places that changed',
        ['place', 'executions', 'share'],
        [...fields.map(({ pointer, count }) => [pointer, count, percent(count, replayed)])],
      ),
      section(
        'Measures',
        ['measure', 'before', 'after', 'difference'],
        [...measures.map(({ name, before, after }) => [name, before, after, differenceOf(before, after)])],
      ),
      section('Skipped', ['reason', 'executions'], Object.entries(skipped)),
      `<h2>What was asked for</h2><pre>${escaped(formatJson(request, 2))}</pre>`,
    ].join('\n'),
  );
}

function summary({ replayed, changed, newlyFailed, newlyCompleted }: Report): string {
  const different = changed + newlyFailed + newlyCompleted;
  return `${different} of ${replayed} executions (${percent(different, replayed)}) would have come out otherwise.`;
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : formatJson(value));

type Cell = string | number | null;

/** A heading with a table; nothing where there are no rows. */
function section(title: string, headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  const cell = (value: Cell): string =>
    typeof value === 'string' ? `<td class="text">${escaped(value)}</td>` : `<td>${value ?? ''}</td>`;
  const lines = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`);
  return `<h2>${escaped(title)}</h2><div class="wide"><table><thead><tr>${headings
    .map((heading) => `<th scope="col">${escaped(heading)}</th>`)
    .join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table></div>`;
}

/** Nothing is loaded and nothing runs, whatever stands in the values. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>
<style>${style}</style></head><body>
${body}
</body></html>
`;

const style = `
  :root { color-scheme: light dark; --paper: #fff; --ink: #1e293b; --soft: #475569; --line: #e2e8f0; --panel: #f1f5f9;
    --first: #64748b; --second: #2563eb; --identical: #059669; --changed: #ea580c; --failed: #dc2626; --completed: #7c3aed }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #0f172a; --ink: #e2e8f0; --soft: #a3b1c6; --line: #334155; --panel: #1e293b;
      --first: #94a3b8; --second: #60a5fa; --identical: #34d399; --changed: #fb923c; --failed: #f87171; --completed: #a78bfa }
  }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
    color: var(--ink); background: var(--paper) }
  h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
  .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem }
  svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px }
  svg text { font: 12px system-ui, sans-serif; fill: var(--soft) } svg .title { font-weight: 600; fill: var(--ink) }
  svg rect { fill: var(--second) } svg .before { fill: var(--first) } svg .after { fill: var(--second) }
  svg .identical { fill: var(--identical) } svg .changed { fill: var(--changed) }
  svg .newlyFailed { fill: var(--failed) } svg .newlyCompleted { fill: var(--completed) }
  pre { background: var(--panel); padding: 1rem; border-radius: 6px; overflow-x: auto }
  .wide { overflow-x: auto } table { border-collapse: collapse }
  td, th { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top }
  td.text, th { text-align: left; overflow-wrap: anywhere }`;
