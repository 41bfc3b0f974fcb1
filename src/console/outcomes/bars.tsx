import type { Deployment, Measurements } from '../api/types.js';
import { size, TimeFigure } from '../parts/plot.js';
import { versionName, Time } from '../parts/small.js';
import { roughly, stacked, type Parts, type Row, textOf } from './sums.js';
import { Table, type Column } from '../parts/table.js';

interface BarsProps {
  readonly title: string;
  readonly measurements: Measurements;
  /** Made in this time: each is marked. */
  readonly deployments: readonly Deployment[];
  readonly partsOf: (row: Row) => Parts;
}

/** Kinds that are told apart, each by its colour, its order and its name. */
const colours = ['--accent', '--warn', '--good', '--soft', '--line'].map((name) => `var(${name})`);
/** A time stands at each of so many hours or days, as clocks and calendars have them. */
const tickEvery = { hour: 6, day: 7 };

/** A stacked bar for each step of time. The table below has all of it. */
export function Bars({ title, measurements: { data, from, to, step }, deployments, partsOf }: BarsProps) {
  const { names, bars } = stacked(data, partsOf, colours.length);
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const stepMs = step === 'day' ? 86_400_000 : 3_600_000;
  const share = (at: string | number): number =>
    ((typeof at === 'string' ? Date.parse(at) : at) - start) / (end - start);
  const sums = [...bars.values()].map((bar) => [...bar.values()].reduce((sum, count) => sum + count, 0));
  const most = Math.max(1, ...sums);
  const total = (name: string): number => [...bars.values()].reduce((sum, bar) => sum + (bar.get(name) ?? 0), 0);
  const slots = Math.round((end - start) / stepMs);
  const begins = Array.from({ length: slots + 1 }, (_, at) => start + at * stepMs);
  const times =
    step === 'day'
      ? begins.filter((_, at) => at % tickEvery.day === 0)
      : begins.filter((at) => new Date(at).getHours() % tickEvery.hour === 0);
  return (
    <TimeFigure
      title={title}
      legend={names.map((name, index) => [colours[index] ?? '', `${name} ${total(name)}`])}
      most={most}
      times={times.map((at) => [share(at), timeText(at, step)])}
      drawn={[...bars].map(([at, bar]) => {
        let y = size.height;
        return names.map((name, index) => {
          const height = (size.height * (bar.get(name) ?? 0)) / most;
          y -= height;
          const slot = (size.width * stepMs) / (end - start);
          const x = size.width * share(at) + slot * 0.08;
          return <rect key={`${at} ${name}`} fill={colours[index]} {...{ x, y, height }} width={slot * 0.84} />;
        });
      })}
      marks={deployments.map(({ id, createdAt, version }) => (
        <span
          key={id}
          class={`time-mark${share(createdAt) > 0.9 ? ' late' : ''}`}
          style={{ left: `${100 * share(createdAt)}%` }}
        >
          <span>{versionName(version)}</span>
        </span>
      ))}
    />
  );
}

export const versionParts = ({ version, count }: Row): Parts => [[versionName(version), count]];

const timeText = (at: number, step: string): string =>
  new Date(at).toLocaleString(
    undefined,
    step === 'day' ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' },
  );

const columns: readonly Column<Row>[] = [
  ['Begin', ({ at }) => <Time at={at} />],
  ['Version', ({ version }) => versionName(version)],
  ['Executions', ({ count }) => count, 'number'],
  ['Failed', ({ failed }) => failed, 'number'],
  ['p50 ms', ({ engine }) => engine.p50, 'number'],
  ['p99 ms', ({ engine }) => engine.p99, 'number'],
  ['Answers', answersOf],
];

/** All that the bars show, as numbers. */
export const ByStep = ({ measurements: { data, step } }: { readonly measurements: Measurements }) => (
  <Table label={step === 'day' ? 'By day and version' : 'By hour and version'} columns={columns} rows={data} />
);

function answersOf({ field }: Row): string {
  if (field === undefined || field === null) return '';
  const { values, others, absent, numbers } = field;
  return [
    ...values.map(({ value, count }) => `${textOf(value)}: ${count}`),
    ...(numbers === null ? [] : [`${numbers.count} numbers, median ${roughly(numbers['p50'])}`]),
    ...(others > 0 ? [`others: ${others}`] : []),
    ...(absent > 0 ? [`none: ${absent}`] : []),
  ].join(', ');
}
