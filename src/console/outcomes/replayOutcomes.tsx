import type { Replay } from '../api/types.js';
import { Time } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { Link } from '../shell/router.js';
import { textOf } from './sums.js';

/** What the newest replay that held results against outcomes found. */
export function ReplayOutcomes({ replay: { id, report, createdAt } }: { readonly replay: Replay }) {
  return (
    <section aria-label="Outcomes of the last replay" class="stack">
      <p>
        <Link to={`/replays/${id}`}>The last replay</Link> with outcomes, of <Time at={createdAt} />:
      </p>
      {(report.outcomes ?? []).map(({ name, known, unknown, table, before, after }) => (
        <div key={name} class="stack">
          <p>
            <b>{name}</b>: known of {known}, unknown of {unknown}. Precision {percent(before.precision)} before,{' '}
            {percent(after.precision)} after; recall {percent(before.recall)} before, {percent(after.recall)} after.
          </p>
          <Table
            label={`Outcomes: ${name}`}
            columns={['Outcome', 'Before', 'After', 'Cases']}
            numbers={['Cases']}
            rows={table}
            cells={(row) => (
              <>
                <th scope="row">{row.hash ?? textOf(row.outcome)}</th>
                <td>{row.before === undefined ? '' : textOf(row.before)}</td>
                <td>{row.after === undefined ? '' : textOf(row.after)}</td>
                <td class="number">{row.count}</td>
              </>
            )}
          />
        </div>
      ))}
    </section>
  );
}

const percent = (share: number | null): string =>
  share === null ? 'unknown' : `${Number((100 * share).toFixed(1))} %`;
