import type { Knex } from 'knex';
import { formatJson, parseExactly } from '../../workers/json/index.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { Change } from './changes.schema.js';
import type { Detail, ReadChange } from './readChanges.js';
import type { Replaced } from './replaced.js';
import { openReplaced, openValue, sealReplaced, sealValue, type ValueRef } from './sealedValue.js';
import { rowsByRequest } from './rowsByRequest.js';

/** One change of a request, as it is stored. */
export interface Item extends ValueRef {
  readonly detail: Detail;
  /** Of a variable: its value, sealed, and what a digest has of it. */
  readonly sealed: { readonly value: Buffer; readonly commitment: Buffer } | null;
  readonly deploymentId: string | null;
  /** What it replaces, as that was last looked at; null where no key of the server opens it. */
  readonly replaces: (encryption: Encryption) => Replaced | null;
  /** As the API shows it: a secret without its value, and likewise a value that no key of the server opens. */
  readonly shown: (encryption: Encryption) => Change;
}

interface Row {
  readonly change_request_id: Buffer;
  readonly position: number;
  readonly detail: string;
  readonly value: Buffer | null;
  readonly commitment: Buffer | null;
  readonly replaces: Buffer | null;
  readonly deployment_id: Buffer | null;
}

const columns = ['change_request_id', 'position', 'detail', 'value', 'commitment', 'replaces', 'deployment_id'];

const mapRow = (row: Row): Item => {
  const ref = { changeRequestId: idFromBytes(row.change_request_id), position: row.position };
  const { value, commitment } = row;
  const sealed = value === null || commitment === null ? null : { value, commitment };
  return itemOf(ref, JSON.parse(row.detail) as Detail, {
    sealed,
    sealedReplaced: row.replaces,
    deploymentId: row.deployment_id === null ? null : idFromBytes(row.deployment_id),
  });
};

interface Rest extends Pick<Item, 'sealed' | 'deploymentId'> {
  readonly sealedReplaced: Buffer | null;
}

const itemOf = (ref: ValueRef, detail: Detail, { sealedReplaced, ...rest }: Rest): Item => {
  const replaces = (encryption: Encryption): Replaced | null =>
    sealedReplaced === null ? null : openReplaced(encryption, ref, sealedReplaced);
  return {
    ...ref,
    detail,
    ...rest,
    replaces,
    shown: (encryption) => ({
      ...shownChange(encryption, ref, { detail, sealed: rest.sealed }),
      replaces: replaces(encryption)?.shown ?? null,
    }),
  };
};

function shownChange(
  encryption: Encryption,
  ref: ValueRef,
  { detail, sealed }: Pick<Item, 'detail' | 'sealed'>,
): Omit<Change, 'replaces'> {
  if (detail.type === 'hosts') return { ...detail, hosts: [...detail.hosts] };
  if (detail.type !== 'variable' || detail.secret || sealed === null) return detail;
  try {
    return { ...detail, value: parseExactly(openValue(encryption, ref, sealed.value).json) };
  } catch {
    return detail;
  }
}

/** The items of a new request. */
export const newItems = (encryption: Encryption, changeRequestId: string, changes: readonly ReadChange[]): Item[] =>
  changes.map((change, position) => {
    const ref = { changeRequestId, position };
    if (change.type !== 'variable') return itemOf(ref, change, { ...unapplied, sealed: null });
    const { value, ...detail } = change;
    const sealed = sealValue(encryption, ref, formatJson(value));
    return itemOf(ref, detail, { ...unapplied, sealed });
  });

const unapplied = { sealedReplaced: null, deploymentId: null };

export async function insertItems(
  transaction: Knex.Transaction,
  workspaceId: string,
  items: readonly Item[],
): Promise<void> {
  const rows = items.map(({ changeRequestId, position, detail, sealed }) => {
    const decision = detail.type === 'deploy' ? idToBytes(detail.decisionId) : null;
    return {
      change_request_id: idToBytes(changeRequestId),
      position,
      workspace_id: idToBytes(workspaceId),
      detail: JSON.stringify(detail),
      decision_id: decision,
      held_id: decision,
      value: sealed?.value ?? null,
      commitment: sealed?.commitment ?? null,
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
    { table: 'change_request_changes', columns, order: 'position', mapRow },
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
