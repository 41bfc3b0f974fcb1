import type { Replay } from '../api/types.js';
import { percentOf, Time } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { Link } from '../shell/address.js';
import { textOf } from './sums.js';

type Outcome = NonNullable<Replay['report']['outcomes']>[number];

const columns: readonly Column<Outcome['table'][number]>[] = [
  ['Outcome', ({ hash, outcome }) => hash ?? textOf(outcome)],
  ['Before', ({ before }) => before !== undefined && textOf(before)],
  ['After', ({ after }) => after !== undefined && textOf(after)],
  ['Cases', ({ count }) => count, 'number'],
];

/** What the newest replay that held results against outcomes found. */
export const ReplayOutcomes = ({ replay: { id, report, createdAt } }: { readonly replay: Replay }) => (
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
        <Table label={`Outcomes: ${name}`} columns={columns} rows={table} />
      </div>
    ))}
  </section>
);

const percent = (share: number | null): string => (share === null ? 'unknown' : `${percentOf(share)} %`);
