import type { ComponentChildren } from 'preact';
import { shortJson } from '../api/exactJson.js';
import type { Replay, ReplayReport } from '../api/types.js';
import { shortened } from '../parts/plot.js';
import { Table } from '../parts/table.js';
import { Unreached } from './unreached.js';
import { useRouter } from '../shell/router.js';

/** What would change, in numbers and bars. */
export function Report({ replay: { report, request } }: { readonly replay: Replay }) {
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
  const otherwise = changed + newlyFailed + newlyCompleted;
  return (
    <section aria-label="Report" class="stack">
      <p>
        {otherwise} of {replayed} executions ({shareOf(otherwise, replayed)}) would have come out otherwise.
      </p>
      <div class="columns report">
        <Bars title={`${replayed} replayed`} rows={outcomes} />
        <Bars
          title="Engine time, ms"
          rows={times.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))}
        />
      </div>
      <Fields report={report} />
      <Transitions report={report} />
      <Measures report={report} />
      <Unreached
        rules={report.reach?.rules ?? []}
        decisionId={request.decisionId}
        version={request.candidate.version}
      />
    </section>
  );
}

const shareOf = (part: number, whole: number): string => (whole === 0 ? '0 %' : `${shortened((100 * part) / whole)} %`);

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

interface PartProps {
  readonly report: ReplayReport;
}

/** How often each place of the result changed; a place leads to its cases. */
function Fields({ report: { fields, replayed } }: PartProps) {
  const { query, setQuery } = useRouter();
  const chosen = query.get('pointer');
  if (fields.length === 0) return null;
  return (
    <Section title="Places that changed">
      <Table
        label="Changed fields"
        columns={['Place', 'Executions', 'Share']}
        numbers={['Executions', 'Share']}
        rows={fields}
        cells={({ pointer, count }) => (
          <>
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
            <td class="number">{shareOf(count, replayed)}</td>
          </>
        )}
      />
    </Section>
  );
}

const Transitions = ({ report: { transitions, replayed } }: PartProps) =>
  transitions.length === 0 ? null : (
    <Section title="Most frequent changes">
      <Table
        label="Transitions"
        columns={['Place', 'Before', 'After', 'Count', 'Share']}
        numbers={['Count', 'Share']}
        rows={transitions}
        cells={({ pointer, before, after, hash, count }) => (
          <>
            <th scope="row">
              <code>{pointer || 'all of it'}</code>
            </th>
            <ValueCell value={hash ?? before} />
            <ValueCell value={hash ?? after} />
            <td class="number">{count}</td>
            <td class="number">{shareOf(count, replayed)}</td>
          </>
        )}
      />
    </Section>
  );

const Measures = ({ report: { measures } }: PartProps) =>
  measures.length === 0 ? null : (
    <Section title="Measures">
      <Table
        label="Measures"
        columns={['Measure', 'Before', 'After']}
        rows={measures}
        cells={({ name, before, after }) => (
          <>
            <th scope="row">{name}</th>
            <ValueCell value={before} />
            <ValueCell value={after} />
          </>
        )}
      />
    </Section>
  );

const Section = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <>
    <h2>{title}</h2>
    {children}
  </>
);

const ValueCell = ({ value }: { readonly value: unknown }) => (
  <td class="wrapped">
    <code>{shortJson(value)}</code>
  </td>
);
