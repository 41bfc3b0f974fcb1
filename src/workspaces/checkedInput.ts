import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';
import { idToBytes } from '../storage/ids.js';

/** The name, trimmed. Throws `validation_failed`. */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  // Characters as MySQL counts them, not UTF-16 units.
  const length = Array.from(trimmed).length;
  if (length === 0 || length > 255) throw invalid('A name has 1 to 255 characters.');
  return trimmed;
}

export const invalid = (detail: string): Problem => new Problem('validation_failed', detail);

/** Throws `validation_failed` where a tenant has as many rows already as it may make by HTTP. */
export async function requireRoom(
  rows: Knex.QueryBuilder,
  { tenantId, max, what }: { readonly tenantId: string; readonly max: number; readonly what: string },
): Promise<void> {
  const [row] = await rows
    .where('tenant_id', idToBytes(tenantId))
    .count<{ readonly total: number | string }[]>({ total: '*' });
  if (Number(row?.total) >= max) throw invalid(`A tenant has at most ${max} ${what}; ask the operator for more.`);
}

/** Awaits an INSERT, and turns a missing parent into `reference_not_found`. */
export async function referring<T>(writing: Promise<T>, detail: string): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (mysqlErrno(error) === mysqlErrors.noReferencedRow) throw new Problem('reference_not_found', detail);
    throw error;
  }
}
