import type { Measurements } from '../api/types.js';
import { Time, versionName } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { textOf, type Row } from './sums.js';

const numbers = ['Executions', 'Failed', 'p50 ms', 'p99 ms'];

/** All that the bars show, as numbers. */
export const ByStep = ({ measurements: { data, step } }: { readonly measurements: Measurements }) => (
  <Table
    label={step === 'day' ? 'By day and version' : 'By hour and version'}
    columns={['Begin', 'Version', ...numbers, 'Answers']}
    numbers={numbers}
    rows={data}
    cells={(row) => (
      <>
        <th scope="row">
          <Time at={row.at} />
        </th>
        <td>{versionName(row.version)}</td>
        <td class="number">{row.count}</td>
        <td class="number">{row.failed}</td>
        <td class="number">{row.engine.p50 ?? ''}</td>
        <td class="number">{row.engine.p99 ?? ''}</td>
        <td>{answersOf(row)}</td>
      </>
    )}
  />
);

function answersOf({ field }: Row): string {
  if (field === undefined || field === null) return '';
  const { values, others, absent, numbers: quantiles } = field;
  return [
    ...values.map(({ value, count }) => `${textOf(value)}: ${count}`),
    ...(quantiles === null ? [] : [`${quantiles.count} numbers, median ${quantiles['p50']}`]),
    ...(others > 0 ? [`others: ${others}`] : []),
    ...(absent > 0 ? [`none: ${absent}`] : []),
  ].join(', ');
}
