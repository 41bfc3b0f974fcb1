import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, type NewAuditEntry } from '../audit/audit.store.js';
import type { Protection } from '../protections/protections.schema.js';
import { findProtection } from '../protections/protections.store.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import { stateOf } from './approvals.js';
import { deleteChecks, insertChecks, readChecks } from './checks.store.js';
import { approvingOf } from './approvingOf.js';
import { detailsOf, noteReplaced, replacedBy, type Item } from './items.store.js';
import { requireTargets, type Target } from './references.js';
import { readReplaced, wordsOf, type Replaced } from './replaced.js';
import { writeRequest } from './requests.service.js';
import { lockOpenOf, requireRequest, type Head } from './requests.store.js';
import { digestOf } from './subject.js';
import { isSameTask, tasksOf } from './tasksOf.js';

interface Parts {
  readonly encryption: Encryption;
  readonly actor: Actor;
}

/** The protection of an environment before and after the transaction. */
interface Protections {
  readonly before: Protection | null;
  readonly after: Protection | null;
}

/**
 * Gives the open requests of a protected environment, in the transaction that has changed what is in force there, the digest
 * and the state that they have by it: what was approved was a comparison with what they replace. The environment is locked,
 * so that no request is opened with what was in force before.
 */
export async function refreshAfterMove(
  transaction: Knex.Transaction,
  parts: Parts,
  ref: EnvironmentRef,
): Promise<void> {
  await transaction('environments').select('id').where('id', idToBytes(ref.environmentId)).forUpdate();
  const protection = await findProtection(transaction, ref);
  if (protection === undefined) return;
  await appendAuditEntries(
    transaction,
    await refreshRequests(transaction, parts, ref.environmentId, { before: protection, after: protection }),
  );
}

/** Gives the open requests of an environment what they have by what is in force and by its protection; how they changed. */
export async function refreshRequests(
  transaction: Knex.Transaction,
  parts: Parts,
  environmentId: string,
  protections: Protections,
): Promise<NewAuditEntry[]> {
  const entries: NewAuditEntry[] = [];
  for (const head of await lockOpenOf(transaction, environmentId))
    entries.push(...(await refresh(transaction, parts, head, protections)));
  return entries;
}

async function refresh(
  transaction: Knex.Transaction,
  { encryption, actor }: Parts,
  head: Head,
  { before, after: protection }: Protections,
): Promise<NewAuditEntry[]> {
  const reading = { database: transaction, encryption };
  const { items } = await requireRequest(reading, head);
  const replaced = await readReplaced(reading, head, detailsOf(items));
  const moves = movesOf(encryption, items, replaced);
  const protectionMoved = differencesOf(before, protection);
  if (moves.length === 0 && protectionMoved === '') return [];
  const { entry } = await writeRequest(transaction, { encryption, actor, verb: 'update' }, head, async (stored) => {
    await noteReplaced(transaction, encryption, items, replaced);
    const targets = await requireTargets(transaction, head, detailsOf(items));
    const digest = await digestOf(reading, { ...head, items, replaced, protection });
    const stale = stored.resource.reviews.filter((one) => one.verdict !== 'comment' && one.digest !== digest).length;
    const notice = noticeOf(stale, { moves, targets, protectionMoved });
    if (protection === null) return { digest, state: 'OPEN', notice };
    await replaceChecks(transaction, { head, targets, protection });
    const judged = { protection, digest, replaced: replaced.map(({ shown }) => shown) };
    return { digest, state: stateOf(await approvingOf(transaction, stored, judged)), notice };
  });
  return [entry];
}

/** An item that replaces something else by now. */
interface Move {
  readonly item: Item;
  readonly was: Replaced | null;
  readonly replaced: Replaced;
}

const movesOf = (encryption: Encryption, items: readonly Item[], now: readonly Replaced[]): Move[] =>
  items.flatMap((item, at) => {
    const [was, replaced] = [replacedBy(encryption, item), now[at]];
    return replaced === undefined || was?.mark === replaced.mark ? [] : [{ item, was, replaced }];
  });

async function replaceChecks(
  transaction: Knex.Transaction,
  {
    head,
    targets,
    protection,
  }: { readonly head: Head; readonly targets: readonly Target[]; readonly protection: Protection },
): Promise<void> {
  const wanted = tasksOf(protection, targets);
  const present = (await readChecks(transaction, head.workspaceId, [head.id])).get(head.id) ?? [];
  const gone = present.filter((check) => !wanted.some((task) => isSameTask(task, check)));
  await deleteChecks(
    transaction,
    gone.map(({ id }) => id),
  );
  const added = wanted.filter((task) => !present.some((check) => isSameTask(task, check)));
  await insertChecks(transaction, head, added);
}

interface Reasons {
  readonly moves: readonly Move[];
  readonly targets: readonly Target[];
  readonly protectionMoved: string;
}

/** Longest text of a notice, as its column has room. */
const maxNoticeLength = 4000;

/** Null where nothing moved and all reviews count. */
function noticeOf(stale: number, { moves, targets, protectionMoved }: Reasons): string | null {
  if (stale === 0 && moves.length === 0) return null;
  const reasons = [
    ...(protectionMoved === '' || stale === 0 ? [] : [`the protection changed: ${protectionMoved}`]),
    ...(moves.length === 0
      ? []
      : [`what it replaces has moved: ${moves.map((move) => movedText(move, targets)).join(', ')}`]),
  ].join('; ');
  const text =
    stale === 0
      ? `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}.`
      : `${stale === 1 ? '1 review does' : `${stale} reviews do`} not count any more, because ${reasons}.`;
  return text.length > maxNoticeLength ? `${text.slice(0, maxNoticeLength - 1)}…` : text;
}

function movedText({ item: { detail }, was, replaced }: Move, targets: readonly Target[]): string {
  const name =
    detail.type === 'hosts'
      ? 'hosts'
      : detail.type === 'deploy'
        ? (targets.find(({ decisionId }) => decisionId === detail.decisionId)?.decisionKey ?? detail.decisionId)
        : detail.name;
  return `${name}: ${was === null ? '(not known)' : wordsOf(was.shown)} → ${wordsOf(replaced.shown)}`;
}

/** What changed between two protections, for people. */
function differencesOf(before: Protection | null, after: Protection | null): string {
  if (after === null) return 'it was removed';
  if (before === null) return 'it was put back';
  const [old, now] = [flat(before), flat(after)];
  return Object.keys(now)
    .filter((name) => old[name] !== now[name])
    .map((name) => `${name}: ${String(old[name])} → ${String(now[name])}`)
    .join(', ');
}

const flat = ({ requires, ...rest }: Protection): Readonly<Record<string, unknown>> => ({ ...rest, ...requires });
