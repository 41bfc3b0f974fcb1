import type { Knex } from 'knex';
import type { LogicRoute } from '../api/logicRoute.js';
import { environments } from '../environments/environments.store.js';
import { Problem } from '../errors.js';
import { EnvironmentProtection, Protection, WriteProtection } from '../protections/protections.schema.js';
import {
  pageOfProtections,
  requireProtection,
  deleteProtection,
  findProtection,
  writeProtection,
} from '../protections/protections.store.js';
import { byContent } from '../resource/answers.js';
import { byId, ofEnvironment, ofWorkspace } from '../resource/kinds.js';
import type { Encryption } from '../storage/encryption.js';
import { writeResource, type Writing } from '../resource/write.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import { refreshRequests } from './refresh.js';
import type { ChangeWriter } from './requests.service.js';
import { namesIn } from '../workspaces/names.store.js';

const protection = ofWorkspace({
  ...ofEnvironment('/logic/environments/{id}/protection'),
  ...byContent((stored: Protection) => stored),
  name: 'Protection',
  tag: 'Changes',
  schema: Protection,
  absent: 'protection_not_found',
});

/** The same of all environments. */
const protections = ofWorkspace({
  ...byId('/logic/protections'),
  ...byContent((stored: EnvironmentProtection) => stored),
  name: 'Protection',
  tag: 'Changes',
  schema: EnvironmentProtection,
});

/** The operations on protections of environments. */
export const protectionRoutes = (parts: { readonly database: Knex; readonly encryption: Encryption }): LogicRoute[] => [
  protections.list(
    {
      summary: 'List the environments that are protected, and how',
      scope: 'environments:read',
      namesOf: ({ workspaceId }) => namesIn(parts.database, workspaceId),
    },
    ({ workspaceId }, page) => pageOfProtections(parts.database, workspaceId, page),
  ),
  protection.get({ summary: 'Get how an environment is protected', scope: 'environment:read' }, async (ref) => {
    await environments.require(parts.database, { ...ref, id: ref.environmentId });
    return requireProtection(parts.database, ref);
  }),
  protection.set(
    {
      summary: 'Protect an environment: it changes by approved change requests alone; what is left out is not required',
      scope: 'protection:write',
      body: WriteProtection,
    },
    async ({ body, ...writing }) => {
      const wanted = protectionOf(body);
      await changeProtection(parts, writing, wanted);
      return wanted;
    },
  ),
  protection.remove({ summary: 'Protect an environment no more', scope: 'protection:write' }, async (writing) => {
    await changeProtection(parts, writing, null).catch((error: unknown) => {
      // Where the environment is gone, so is its protection.
      if (!(error instanceof Problem) || error.code !== 'environment_not_found') throw error;
    });
  }),
];

function protectionOf({ approvals, authorMayApprove = false, requires = {}, override = false }: WriteProtection) {
  const { tests = false, analysis = false, replay = null, coverage = null } = requires;
  return { approvals, authorMayApprove, requires: { tests, analysis, replay, coverage }, override };
}

/**
 * Protects an environment, otherwise, or no more. Reviews of its open requests, whose digests change by it, do not count
 * any more. Rejects with `environment_not_found`, `precondition_failed`, and with `protection_not_found` where there is none
 * to be removed.
 * @param wanted in place of the present one; null removes it
 */
async function changeProtection(
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
