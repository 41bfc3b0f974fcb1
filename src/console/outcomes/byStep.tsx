import type { Measurements } from '../api/types.js';
import { Time, versionName } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { textOf, type Row } from './sums.js';

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
    ...(numbers === null ? [] : [`${numbers.count} numbers, median ${numbers['p50']}`]),
    ...(others > 0 ? [`others: ${others}`] : []),
    ...(absent > 0 ? [`none: ${absent}`] : []),
  ].join(', ');
}
