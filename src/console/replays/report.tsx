import { shortJson } from '../api/exactJson.js';
import type { Replay, ReplayReport } from '../api/types.js';
import { shortened } from '../parts/plot.js';
import { Button } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { Unreached } from './unreached.js';
import { useRouter } from '../shell/address.js';

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
  return (
    <section aria-label="Report" class="stack">
      <Otherwise report={report} />
      <div class="columns report">
        <Bars title={`${replayed} replayed`} rows={outcomes} />
        <Bars
          title="Engine time, ms"
          rows={times.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))}
        />
      </div>
      <Fields report={report} />
      <Transitions report={report} />
      <Part title="Measures" label="Measures" columns={measureColumns} rows={report.measures} />
      <Unreached
        rules={report.reach?.rules ?? []}
        decisionId={request.decisionId}
        version={request.candidate.version}
      />
    </section>
  );
}

/** How many executions would have come out otherwise. */
export function Otherwise({ report: { replayed, changed, newlyFailed, newlyCompleted } }: Pick<PartProps, 'report'>) {
  const otherwise = changed + newlyFailed + newlyCompleted;
  return (
    <p>
      {otherwise} of {replayed} executions ({shareOf(otherwise, replayed)}) would have come out otherwise.
    </p>
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
  const columns: readonly Column<ReplayReport['fields'][number]>[] = [
    [
      'Place',
      ({ pointer }) => (
        <Button
          class="quiet"
          aria-pressed={chosen === pointer}
          onClick={() => setQuery({ pointer: chosen === pointer ? null : pointer })}
        >
          <Place pointer={pointer} />
        </Button>
      ),
    ],
    ['Executions', ({ count }) => count, 'number'],
    ['Share', ({ count }) => shareOf(count, replayed), 'number'],
  ];
  return <Part title="Places that changed" label="Changed fields" columns={columns} rows={fields} />;
}

function Transitions({ report: { transitions, replayed } }: PartProps) {
  const columns: readonly Column<ReplayReport['transitions'][number]>[] = [
    ['Place', ({ pointer }) => <Place pointer={pointer} />],
    ['Before', ({ hash, before }) => <code>{shortJson(hash ?? before)}</code>, 'wrapped'],
    ['After', ({ hash, after }) => <code>{shortJson(hash ?? after)}</code>, 'wrapped'],
    ['Count', ({ count }) => count, 'number'],
    ['Share', ({ count }) => shareOf(count, replayed), 'number'],
  ];
  return <Part title="Most frequent changes" label="Transitions" columns={columns} rows={transitions} />;
}

const measureColumns: readonly Column<ReplayReport['measures'][number]>[] = [
  ['Measure', ({ name }) => name],
  ['Before', ({ before }) => <code>{shortJson(before)}</code>, 'wrapped'],
  ['After', ({ after }) => <code>{shortJson(after)}</code>, 'wrapped'],
];

const Place = ({ pointer }: { readonly pointer: string }) => <code>{pointer || 'all of it'}</code>;

interface TablePartProps<Row> {
  readonly title: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** A table with its heading, where there is something in it. */
const Part = <Row,>({ title, ...table }: TablePartProps<Row>) =>
  table.rows.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <Table {...table} />
    </>
  );
