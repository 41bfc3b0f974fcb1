import { shortJson } from '../api/exactJson.js';
import type { ReplayReport } from '../api/types.js';
import { shortened } from '../parts/plot.js';
import { useRouter } from '../shell/router.js';

/** What would change, in numbers and bars. */
export function Report({ report }: { readonly report: ReplayReport }) {
  const { replayed, identical, changed, newlyFailed, newlyCompleted, engine } = report;
  const skipped = Object.entries(report.skipped).filter(([, count]) => count > 0);
  const outcomes = [
    ['identical', identical],
    ['changed', changed],
    ['newly failed', newlyFailed],
    ['newly completed', newlyCompleted],
    ...skipped.map(([reason, count]) => [`skipped: ${reason}`, count] as const),
  ] as const;
  const times = [
    ['p50 before', engine.before.p50],
    ['p50 after', engine.after.p50],
    ['p99 before', engine.before.p99],
    ['p99 after', engine.after.p99],
  ] as const;
  return (
    <section aria-label="Report" class="columns report">
      <Bars title={`${replayed} replayed`} rows={outcomes} />
      <Fields report={report} />
      <Transitions report={report} />
      <Measures report={report} />
      <Bars title="Engine time, ms" rows={times.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))} />
    </section>
  );
}

interface BarsProps {
  readonly title: string;
  readonly rows: readonly (readonly [string, number])[];
}

/** A table whose numbers are also bars. */
function Bars({ title, rows }: BarsProps) {
  if (rows.length === 0) return null;
  const most = Math.max(1e-9, ...rows.map(([, value]) => value));
  return (
    <table class="panel bars" aria-label={title}>
      <caption>{title}</caption>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{shortened(value)}</td>
            <td class="bar-cell" aria-hidden="true">
              <span class="bar-fill" style={{ width: `${(100 * value) / most}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How often each place of the result changed; a place leads to its cases. */
function Fields({ report: { fields } }: { readonly report: ReplayReport }) {
  const { query, setQuery } = useRouter();
  const chosen = query.get('pointer');
  if (fields.length === 0) return null;
  return (
    <table class="panel bars" aria-label="Changed fields">
      <caption>Changed fields</caption>
      <tbody>
        {fields.map(({ pointer, count }) => (
          <tr key={pointer}>
            <th scope="row">
              <button
                type="button"
                class="quiet"
                aria-pressed={chosen === pointer}
                onClick={() => setQuery({ pointer: chosen === pointer ? null : pointer })}
              >
                <code>{pointer || 'all of it'}</code>
              </button>
            </th>
            <td class="number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Transitions({ report: { transitions } }: { readonly report: ReplayReport }) {
  if (transitions.length === 0) return null;
  return (
    <table class="panel bars" aria-label="Transitions">
      <caption>Most frequent changes</caption>
      <tbody>
        {transitions.map(({ pointer, before, after, count }, index) => (
          <tr key={index}>
            <th scope="row">
              <code>{pointer}</code>
            </th>
            <td>
              <code>{shortJson(before)}</code> → <code>{shortJson(after)}</code>
            </td>
            <td class="number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Measures({ report: { measures } }: { readonly report: ReplayReport }) {
  if (measures.length === 0) return null;
  return (
    <table class="panel bars" aria-label="Measures">
      <caption>Measures</caption>
      <tbody>
        {measures.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <code>{shortJson(before)}</code> → <code>{shortJson(after)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
