import type { Knex } from 'knex';
import { environments } from '../environments/environments.store.js';
import type { Protection } from '../protections/protections.schema.js';
import {
  deleteProtection,
  findProtection,
  requireProtection,
  writeProtection,
} from '../protections/protections.store.js';
import { writeResource, type Writing } from '../resource/write.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import { refreshRequests } from './refresh.js';
import type { ChangeWriter } from './requests.service.js';

/**
 * Protects an environment, otherwise, or no more. Reviews of its open requests, whose digests change by it, do not count
 * any more. Rejects with `environment_not_found`, `precondition_failed`, and with `protection_not_found` where there is none
 * to be removed.
 * @param wanted in place of the present one; null removes it
 */
export async function changeProtection(
  { database, encryption }: Omit<ChangeWriter, 'actor'>,
  writing: Writing<EnvironmentRef, Protection>,
  wanted: Protection | null,
): Promise<void> {
  const { actor, ref } = writing;
  const { workspaceId, environmentId } = ref;
  const find = async (transaction: Knex.Transaction): Promise<Protection | undefined> => {
    // As whoever writes decisions does: an import sees the protection, or the protection comes after it.
    await transaction('workspaces').select('id').where('id', idToBytes(workspaceId)).forUpdate();
    await environments.require(transaction, { workspaceId, id: environmentId }, true);
    return wanted === null ? requireProtection(transaction, ref) : findProtection(transaction, ref);
  };
  const written = { database, workspaceId, resource: { type: 'protection', id: environmentId }, find } as const;
  await writeResource(written, writing, async (transaction, present) => {
    if (present !== undefined && JSON.stringify(present) === JSON.stringify(wanted)) return { after: present };
    if (wanted === null) await deleteProtection(transaction, ref);
    else await writeProtection(transaction, ref, wanted);
    const protections = { before: present ?? null, after: wanted };
    const entries = await refreshRequests(transaction, { encryption, actor }, environmentId, protections);
    return { after: wanted, entries };
  });
}
