import { idToBytes } from '../storage/ids.js';
import { keyOf, toColumns, type InquiryFields, type Place, type Store } from './inquiries.store.js';
import type { Knex } from 'knex';

/** What becomes of one inquiry's row. */
export interface RowUpdate {
  readonly place: Place;
  /** What was read, and what it becomes. */
  readonly revision: number;
  readonly nextRevision: number;
  readonly fields: InquiryFields;
  readonly updatedAt: Date;
}

/**
 * Writes rows, those that set the same columns in one statement. False when the revision of any is another by now; the
 * others may be written then, so that more than one need a transaction to be taken back.
 */
export async function updateRows(store: Store, updates: readonly RowUpdate[]): Promise<boolean> {
  // In the order of their keys, so that two transactions wait for each other instead of deadlocking.
  const sorted = updates.toSorted((one, other) => (keyOf(one.place) < keyOf(other.place) ? -1 : 1));
  const statements = new Map<string, Columns[]>();
  for (const update of sorted) {
    const columns = columnsOf(store, update);
    const shape = Object.keys(columns).join();
    const alike = statements.get(shape);
    if (alike === undefined) statements.set(shape, [columns]);
    else alike.push(columns);
  }
  for (const rows of statements.values()) {
    if (!(await updateAlike(store, rows))) return false;
  }
  return true;
}

type Columns = Readonly<Record<string, Knex.Value>>;

const columnsOf = ({ encryption }: Store, update: RowUpdate): Columns => ({
  tenant_id: idToBytes(update.place.tenantId),
  id: idToBytes(update.place.id),
  read_revision: update.revision,
  revision: update.nextRevision,
  updated_at: update.updatedAt,
  ...toColumns(encryption, update.place, update.fields),
});

const conditions = new Set(['tenant_id', 'id', 'read_revision']);

async function updateAlike({ connection }: Store, rows: readonly Columns[]): Promise<boolean> {
  const names = Object.keys(rows[0] ?? {});
  const named = `SELECT ${names.map((name) => `? AS ${name}`).join(', ')}`;
  const others = ` UNION ALL SELECT ${names.map(() => '?').join(', ')}`.repeat(rows.length - 1);
  const set = names.filter((name) => !conditions.has(name)).map((name) => `i.${name} = v.${name}`);
  const [{ affectedRows }] = (await connection.raw(
    `UPDATE inquiries i JOIN (${named}${others}) v ON v.tenant_id = i.tenant_id AND v.id = i.id
     SET ${set.join(', ')} WHERE i.revision = v.read_revision`,
    rows.flatMap((row) => Object.values(row)),
  )) as [{ affectedRows: number }];
  return affectedRows === rows.length;
}
