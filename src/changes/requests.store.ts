import type { Knex } from 'knex';
import { mapInTurns } from '../admission/pause.js';
import { hex, id, plain, time, timeOrNull } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import { ResourceTable, type ResourceRef } from '../storage/resourceTable.js';
import type { ChangeRequest } from './changes.schema.js';
import { readItems, shownChange, type Item } from './items.store.js';
import { readChecks } from './checks.store.js';
import { readReviews } from './reviews.store.js';

export type State = ChangeRequest['state'];

/** A request without what belongs to it. */
export interface Head {
  readonly id: string;
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly title: string;
  readonly message: string | null;
  readonly author: string;
  readonly state: State;
  /** Hex. */
  readonly digest: string;
  readonly notice: string | null;
  readonly appliedBy: string | null;
  readonly appliedAt: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Requests without what belongs to them. */
export const heads = new ResourceTable<Head>({
  type: 'change_request',
  table: 'change_requests',
  columns: {
    id: id(),
    workspaceId: id('workspace_id'),
    environmentId: id('environment_id'),
    title: plain('title'),
    message: plain('message'),
    author: plain('author'),
    state: plain('state'),
    digest: hex('digest'),
    notice: plain('notice'),
    appliedBy: plain('applied_by'),
    appliedAt: timeOrNull('applied_at'),
    revision: plain('revision'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
  },
});

export const headColumns = heads.names.map((name) => `r.${name}`);

/** One that was just asked for. */
export const newHead = { state: 'OPEN', notice: null, appliedBy: null, appliedAt: null } as const;

/** States in which a request can still be applied. */
export const openStates: readonly State[] = ['OPEN', 'APPROVED'];
export const isOpen = ({ state }: Pick<Head, 'state'>): boolean => openStates.includes(state);

/** The change requests of an environment that can still be applied, oldest first; their rows are locked. */
export async function lockOpenOf(transaction: Knex.Transaction, environmentId: string): Promise<Head[]> {
  const rows = (await transaction('change_requests as r')
    .select(headColumns)
    .where('r.environment_id', idToBytes(environmentId))
    .whereIn('r.state', openStates)
    .orderBy('r.id')
    .forUpdate()) as object[];
  return rows.map(heads.map);
}

/** A request, whole. */
export interface StoredRequest {
  readonly head: Head;
  readonly items: readonly Item[];
  readonly resource: ChangeRequest;
}

export interface Reading {
  readonly database: Connection;
  readonly encryption: Encryption;
}

/** @throws Problem `change_request_not_found` */
export async function requireRequest(reading: Reading, ref: ResourceRef): Promise<StoredRequest> {
  const [stored] = await readWhole(reading, ref.workspaceId, [await heads.require(reading.database, ref)]);
  if (stored === undefined) throw new Error('a request was lost');
  return stored;
}

/** Heads with all that belongs to them, in three statements for all. */
export async function readWhole(
  { database, encryption }: Reading,
  workspaceId: string,
  heads: readonly Head[],
): Promise<StoredRequest[]> {
  const ids = heads.map(({ id }) => id);
  const items = await readItems(database, workspaceId, ids);
  const checks = await readChecks(database, workspaceId, ids);
  const reviews = await readReviews(database, workspaceId, ids);
  // Each may have a megabyte of values, which are opened and parsed.
  return mapInTurns(heads, (head) => {
    const { revision: _, notice, appliedBy, appliedAt, createdAt, updatedAt, ...rest } = head;
    const own = items.get(head.id) ?? [];
    const resource: ChangeRequest = {
      ...rest,
      changes: own.map((item) => shownChange(encryption, item)),
      checks: (checks.get(head.id) ?? []).map(({ shown }) => shown),
      reviews: reviews.get(head.id) ?? [],
      appliedBy,
      appliedAt,
      deploymentIds: own.flatMap(({ deploymentId }) => deploymentId ?? []),
      createdAt,
      updatedAt,
      ...(notice === null ? {} : { notice }),
    };
    return { head, items: own, resource };
  });
}
