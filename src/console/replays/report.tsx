import { permitted } from '../api/client.js';
import type { Replay, ReplayReport } from '../api/types.js';
import { Button, Panel, shareOf, shortened } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { placeText, ValuesLine } from '../parts/values.js';
import { useRouter } from '../shell/address.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { fewHave, withFewTogether, type ToldTransition } from './fewHave.js';
import { measureText } from './measureText.js';
import { Unreached } from './unreached.js';

interface ReportProps {
  readonly report: ReplayReport;
  readonly decisionId: string;
  /** That was tried. */
  readonly version: number;
  /** Of a replay, which keeps what came out otherwise; null of a shadow, which only counts. */
  readonly replayId: string | null;
}

/** What would change, in numbers and bars. */
export function Report({ report, decisionId, version, replayId }: ReportProps) {
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
      <div class="columns wide">
        <Bars title={`${replayed} replayed`} rows={outcomes} />
        <Bars
          title="Engine time, ms"
          rows={times.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))}
        />
      </div>
      <Fields report={report} hasCases={replayId !== null} />
      <Transitions {...{ report, replayId }} />
      <Part title="Measures" label="Measures" columns={measureColumns} rows={report.measures} />
      <Unreached rules={report.reach?.rules ?? []} {...{ decisionId, version }} />
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

/** A table whose numbers are also bars. */
function Bars({ title, rows }: { readonly title: string; readonly rows: readonly (readonly [string, number])[] }) {
  if (rows.length === 0) return null;
  const most = Math.max(1e-9, ...rows.map(([, value]) => value));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    ['What', ([name]) => name],
    ['Number', ([, value]) => shortened(value), 'number'],
    ['As a bar', ([, value]) => <span class="bar-fill" style={{ width: `${(100 * value) / most}%` }} />, 'bar-cell'],
  ];
  return (
    <Panel label={title}>
      <Table label={title} columns={columns} rows={rows} />
    </Panel>
  );
}

interface PartProps {
  readonly report: ReplayReport;
}

/** How often each place of the result changed; a place leads to its cases, where they are kept. */
function Fields({ report: { fields, replayed }, hasCases }: PartProps & { readonly hasCases: boolean }) {
  const { query, setQuery } = useRouter();
  const chosen = query.get('pointer');
  const columns: readonly Column<ReplayReport['fields'][number]>[] = [
    [
      'Place',
      ({ pointer }) =>
        hasCases ? (
          <Button
            class="quiet"
            aria-pressed={chosen === pointer}
            onClick={() => setQuery({ pointer: chosen === pointer ? null : pointer })}
          >
            <code>{placeText(pointer)}</code>
          </Button>
        ) : (
          <code>{placeText(pointer)}</code>
        ),
    ],
    ['Executions', ({ count }) => count, 'number'],
    ['Share', ({ count }) => shareOf(count, replayed), 'number'],
  ];
  return <Part title="Places that changed" label="Changed fields" columns={columns} rows={fields} />;
}

function Transitions({
  report: { transitions: counted, replayed },
  replayId,
}: PartProps & Pick<ReportProps, 'replayId'>) {
  const transitions = withFewTogether(useCases(counted, replayId));
  const columns: readonly Column<ToldTransition>[] = [
    ['Place', ({ pointer }) => <code>{placeText(pointer)}</code>],
    [
      'Before',
      ({ changes, before }) => (changes === undefined ? <ValuesLine value={before} /> : fewHave(changes)),
      'wrapped',
    ],
    // Told once, before.
    ['After', ({ changes, after }) => changes === undefined && <ValuesLine value={after} />, 'wrapped'],
    ['Count', ({ count }) => count, 'number'],
    ['Share', ({ count }) => shareOf(count, replayed), 'number'],
  ];
  return <Part title="Most frequent changes" label="Transitions" columns={columns} rows={transitions} />;
}

/** More cases than these are not read for what few of them have. */
const mostCases = 100;

/** What changed, with the values of changes that few executions have, where all cases are on the page anyway. */
function useCases(counted: ReplayReport['transitions'], replayId: string | null): ReplayReport['transitions'] {
  const { api } = useSession();
  const isAsked = replayId !== null && counted.some(({ hash }) => hash !== undefined);
  const { value } = useLoaded(
    async (signal) =>
      isAsked
        ? permitted(api.ask('GET /logic/replays/{id}/differences', { id: replayId, size: mostCases }, signal), null)
        : null,
    [api, replayId, isAsked, counted.length],
  );
  const kept = value?.data ?? [];
  const shown = counted.filter(({ hash }) => hash === undefined);
  const known = new Set(shown.map(nameOf));
  const rare = new Map<string, Transition>();
  for (const change of kept.flatMap((each) => each.changes)) {
    const name = nameOf(change);
    if (!known.has(name)) rare.set(name, { ...change, count: (rare.get(name)?.count ?? 0) + 1 });
  }
  const told = [...rare.values()];
  // What is no longer kept, or not read, is told as it is counted.
  if (sumOf(shown) + sumOf(told) !== sumOf(counted)) return counted;
  return [...shown, ...told.sort((one, other) => other.count - one.count)];
}

type Transition = ReplayReport['transitions'][number];

const nameOf = ({ pointer, before, after }: Omit<Transition, 'count'>): string =>
  JSON.stringify([pointer, before, after]);

const sumOf = (rows: readonly Transition[]): number => rows.reduce((sum, { count }) => sum + count, 0);

const measureColumns: readonly Column<ReplayReport['measures'][number]>[] = [
  ['Measure', ({ name }) => name],
  ['Before', ({ before }) => measureText(before), 'wrapped'],
  ['After', ({ after }) => measureText(after), 'wrapped'],
];

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

const colours = { RUNNING: 'soft', COMPLETED: 'good', CANCELLED: 'warn', FAILED: 'bad' } as const;

/** How far a replay is. */
export const ReplayStatus = ({ replay: { status, done, total } }: { readonly replay: Replay }) => (
  <>
    <span class={`mark ${colours[status]}`}>{status}</span>{' '}
    {status === 'RUNNING' && <progress max={Math.max(1, total)} value={done} aria-label="Done" />}{' '}
    <span class="soft">
      {done} of {total}
    </span>
  </>
);
