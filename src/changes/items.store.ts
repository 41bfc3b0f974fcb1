import type { Knex } from 'knex';
import { formatJson, parseExactly } from '../../workers/json/index.js';
import { Fields, id, idOrNull, json, plain } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import type { Change } from './changes.schema.js';
import type { Detail, ReadChange } from './readChanges.js';
import type { Replaced } from './replaced.js';
import { openReplaced, openValue, sealReplaced, sealValue, type ValueRef } from './sealedValue.js';
import { rowsByRequest } from './rowsByRequest.js';

/** One change of a request, as it is stored. */
export interface Item extends ValueRef {
  readonly detail: Detail;
  /** Of a variable: its value, sealed. */
  readonly sealed: Buffer | null;
  /** What it replaces, as that was last looked at, sealed. */
  readonly sealedReplaced: Buffer | null;
  /** What it was applied as. */
  readonly deploymentId: string | null;
}

const fields = new Fields<Item>({
  changeRequestId: id('change_request_id'),
  position: plain('position'),
  detail: json('detail'),
  sealed: plain('value'),
  sealedReplaced: plain('replaces'),
  deploymentId: idOrNull('deployment_id'),
});

/** What it replaces, as that was last looked at; null where no key of the server opens it. */
export const replacedBy = (encryption: Encryption, item: Item): Replaced | null =>
  item.sealedReplaced && openReplaced(encryption, item, item.sealedReplaced);

/** A change as the API shows it: a secret without its value, and likewise a value that no key of the server opens. */
export const shownChange = (encryption: Encryption, item: Item): Change => ({
  ...shownDetail(encryption, item),
  replaces: replacedBy(encryption, item)?.shown ?? null,
});

/** The value of a variable. Throws where no key of the server opens it. */
export function valueOf(encryption: Encryption, item: Item): ReturnType<typeof openValue> {
  if (item.sealed === null) throw new Error(`change ${item.position} of ${item.changeRequestId} has no value`);
  return openValue(encryption, item, item.sealed);
}

function shownDetail(encryption: Encryption, item: Item): Omit<Change, 'replaces'> {
  const { detail } = item;
  if (detail.type === 'hosts') return { ...detail, hosts: [...detail.hosts] };
  if (detail.type !== 'variable' || detail.secret) return detail;
  try {
    return { ...detail, value: parseExactly(valueOf(encryption, item).json) };
  } catch {
    return detail;
  }
}

export const detailsOf = (items: readonly Item[]): Detail[] => items.map(({ detail }) => detail);

/** The items of a new request. @param replaced what each of the changes replaces now */
export const newItems = (
  encryption: Encryption,
  changeRequestId: string,
  changes: readonly ReadChange[],
  replaced: readonly Replaced[],
): Item[] =>
  changes.map((change, position) => {
    const ref = { changeRequestId, position };
    const now = replaced[position];
    const rest = { sealedReplaced: now ? sealReplaced(encryption, ref, now) : null, deploymentId: null };
    if (change.type !== 'variable') return { ...ref, detail: change, sealed: null, ...rest };
    const { value, ...detail } = change;
    return { ...ref, detail, sealed: sealValue(encryption, ref, formatJson(value)), ...rest };
  });

export async function insertItems(
  transaction: Knex.Transaction,
  workspaceId: string,
  items: readonly Item[],
): Promise<void> {
  const rows = items.map((item) => {
    const decision = item.detail.type === 'deploy' ? idToBytes(item.detail.decisionId) : null;
    return {
      ...fields.toRow(item),
      ...{ workspace_id: idToBytes(workspaceId), decision_id: decision, held_id: decision },
    };
  });
  await transaction('change_request_changes').insert(rows);
}

/** The changes of requests, in their order. */
export const readItems = (
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Item[]>> =>
  rowsByRequest(
    connection,
    { workspaceId, ids },
    {
      ...{ table: 'change_request_changes', order: 'position' },
      ...{ columns: fields.names, mapRow: fields.map },
    },
  );

/** Notes what each of some items replaces now. */
export async function noteReplaced(
  transaction: Knex.Transaction,
  encryption: Encryption,
  items: readonly ValueRef[],
  replaced: readonly Replaced[],
): Promise<void> {
  for (const [at, item] of items.entries()) {
    const now = replaced[at];
    if (now !== undefined) await rowOf(transaction, item).update({ replaces: sealReplaced(encryption, item, now) });
  }
}

const rowOf = (transaction: Knex.Transaction, { changeRequestId, position }: ValueRef): Knex.QueryBuilder =>
  transaction('change_request_changes').where({ change_request_id: idToBytes(changeRequestId), position });

/** Notes what a change was applied as. */
export async function noteDeployment(transaction: Knex.Transaction, item: Item, deploymentId: string): Promise<void> {
  await rowOf(transaction, item).update({ deployment_id: idToBytes(deploymentId) });
}

/** Lets go of what an ended request held: its decisions may be deleted from now on. */
export async function releaseItems(transaction: Knex.Transaction, changeRequestId: string): Promise<void> {
  await transaction('change_request_changes')
    .where('change_request_id', idToBytes(changeRequestId))
    .update({ held_id: null });
}
