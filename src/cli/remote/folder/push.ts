import type { Decision } from '../../../decisions/routes/decisions.schema.js';
import { resolve } from 'node:path';
import type { Call } from '../../command.js';
import { Refusal } from '../../failures.js';
import { flag, text, type Input } from '../../params.js';
import { printable } from '../../printable.js';
import type { Session } from '../../session.js';
import { table } from '../../tableOf.js';
import { importCandidates, noteFaults, refuseFaults, refuseUnreadable, revisionOf } from '../import.js';
import { operations } from '#openapi/operations.gen.js';
import { ServiceRefusal, type Service } from '../service.js';
import { changedByOthers, compare, readRemote } from './compare.js';
import { noteLeftOut } from './pull.js';
import { hashesOf, readModels } from './read.js';
import { readState, writeState } from './state.js';

export const pushing = {
  save: flag('--save', 'save a version of each as well'),
  message: text('--message <text>', 'why, for the saved versions'),
  dryRun: flag('--dry-run', 'say what would be, and store nothing'),
  overwrite: flag(
    '--overwrite',
    'from a folder that was never pulled or pushed: also what the workspace has and no version has',
  ),
  prune: flag('--prune', 'then delete the decisions that the folder does not have'),
};

/** What a push did, or of a dry run would do. */
export interface Pushed {
  /** As --json prints it. */
  readonly document: object;
  /** For people; what is unchanged is counted alone. */
  readonly text: string;
  readonly isUnchanged: boolean;
  /** Decisions that should have been deleted are still there. */
  readonly isPartial: boolean;
}

/** Compares a folder with the workspace: what `push` would change. */
export async function compareFolder({ session, service }: Call, folder: string) {
  const models = await readModels(session, folder);
  refuseUnreadable('Nothing was compared', models.diagnostics);
  const { revision, hashes, leftOut } = await readRemote(service);
  noteLeftOut(session, leftOut);
  return { revision, decisions: compare(hashesOf(models), hashes) };
}

/** Brings the models of a folder into the workspace, all or none. */
export async function pushFolder(
  { session, service }: Call,
  folder: string,
  { save = false, message, dryRun = false, prune = false, overwrite = false }: Input<typeof pushing>,
): Promise<Pushed> {
  const models = await readModels(session, folder);
  refuseUnreadable('Nothing was pushed', models.diagnostics);
  const { candidates } = models;
  if (candidates.length === 0) throw new Refusal(`${printable(folder)} has no .json or .dmn files in it.`);
  const root = resolve(session.directory, folder);
  const local = hashesOf(models);
  const remote = await readRemote(service);
  const seen = readState(root, service.workspaceId());
  const goes = [...remote.decisions.values()].filter(({ key, contentHash }) =>
    local.has(key) ? local.get(key) !== contentHash : prune,
  );
  if (seen === undefined && !overwrite) await requireSaved(service, goes);
  requireOwnChanges(changedByOthers(local, remote.hashes, seen ?? remote.hashes));
  const files = new Map(candidates.map(({ key, path }) => [key, path]));
  const settings = { save, message, dryRun, base: remote.revision };
  const report = await session.during('pushing', candidates.length, (onSent) =>
    importCandidates(service, candidates, { ...settings, onSent }).catch((error: unknown) => refuse(error, files)),
  );
  const surplus = prune ? [...remote.decisions.values()].filter(({ key }) => !local.has(key)) : [];
  const { deleted, kept } = dryRun ? { deleted: surplus, kept: [] } : await deleteAll(session, service, surplus);
  if (!dryRun) {
    const left = [...remote.hashes].filter(([key]) => !deleted.some((each) => each.key === key));
    writeState(root, service.workspaceId(), new Map([...left, ...local]));
  }
  noteFaults(session, report.faults, (counted) => counted);
  for (const { decision, reason } of kept) session.note(`${decision.key} was not deleted: ${reason}`);
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: deleted.length };
  for (const { change } of report.decisions) counts[change]++;
  return {
    document: {
      revision: deleted.length > 0 && !dryRun ? await revisionOf(service) : report.revision,
      ...{ dryRun, decisions: report.decisions },
      deleted: deleted.map(({ id, key }) => ({ id, key })),
      kept: kept.map(({ decision, reason }) => ({ id: decision.id, key: decision.key, reason })),
      faults: report.faults,
    },
    text: drawn({ changes: report.decisions, deleted, counts, dryRun }),
    isUnchanged: counts.created + counts.updated + counts.deleted === 0,
    isPartial: kept.length > 0,
  };
}

/** @throws Refusal that names the decisions whose working copy no version has: somebody's work would be gone */
async function requireSaved(service: Service, decisions: readonly Decision[]): Promise<void> {
  const unsaved: string[] = [];
  for (const { id, key, contentHash } of decisions) {
    const versions = await service.all(operations.listVersions, { params: { id } });
    if (!versions.some((each) => each.contentHash === contentHash)) unsaved.push(key);
  }
  if (unsaved.length === 0) return;
  throw new Refusal(
    'the workspace has what no version has, so nothing was pushed. Save it there (verdict decision save), pull it, or give ' +
      `it up by --overwrite:\n${unsaved.map((key) => `  ${printable(key)}`).join('\n')}`,
  );
}

/** @throws Refusal that names what others have changed */
function requireOwnChanges(keys: readonly string[]): void {
  if (keys.length === 0) return;
  throw new Refusal(
    'others have changed the workspace since the last pull, so nothing was pushed (412 precondition_failed). Pull first:\n' +
      keys.map((key) => `  ${printable(key)}`).join('\n'),
  );
}

function refuse(error: unknown, files: ReadonlyMap<string, string>): never {
  if (error instanceof ServiceRefusal && error.code === 'precondition_failed') {
    throw new Refusal(
      'others have just changed the workspace, so nothing was pushed (412 precondition_failed). Pull first.',
    );
  }
  return refuseFaults('Nothing was pushed', error, files);
}

interface Deleted {
  readonly deleted: readonly Decision[];
  /** With what the service said. */
  readonly kept: readonly { readonly decision: Decision; readonly reason: string }[];
}

/** Deletes decisions in an order in which none is in use any more by another of them. */
async function deleteAll(session: Session, service: Service, decisions: readonly Decision[]): Promise<Deleted> {
  const deleted: Decision[] = [];
  let kept: { decision: Decision; reason: string }[] = [];
  await session.during('deleting', decisions.length, async (advance) => {
    for (let left = decisions; left.length > 0; left = kept.map(({ decision }) => decision)) {
      kept = [];
      for (const decision of left) {
        const reason = await deleteOne(service, decision);
        if (reason === undefined) {
          deleted.push(decision);
          advance();
        } else kept.push({ decision, reason });
      }
      if (kept.length === left.length) break;
    }
  });
  return { deleted, kept };
}

/** Why it could not be deleted: it is in use, or others have changed it. */
async function deleteOne(service: Service, { id, contentHash }: Decision): Promise<string | undefined> {
  const params = { id };
  try {
    const { body, headers } = await service.send(operations.getDecision, { params });
    if (body.contentHash !== contentHash) return 'others have just changed it';
    await service.send(operations.deleteDecision, { params, headers: { 'If-Match': headers.get('ETag') ?? '*' } });
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceRefusal)) throw error;
    if (error.status === 404) return undefined;
    if (error.status === 409 || error.status === 412) return error.message;
    throw error;
  }
}

interface Drawn {
  readonly changes: readonly { readonly key: string; readonly version: number; readonly change: string }[];
  readonly deleted: readonly Decision[];
  readonly counts: Readonly<Record<string, number>>;
  readonly dryRun: boolean;
}

function drawn({ changes, deleted, counts, dryRun }: Drawn): string {
  const rows = [
    ...changes
      .filter(({ change }) => change !== 'unchanged')
      .map(({ key, version, change }) => [key, version === 0 ? 'working copy' : `version ${version}`, change]),
    ...deleted.map(({ key }) => [key, '', 'deleted']),
  ];
  const summary = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([change, count]) => `${count} ${change}`)
    .join(', ');
  const headline = dryRun ? `would be: ${summary}` : summary;
  return rows.length === 0 ? headline : `${table(['key', 'now', ''], rows)}\n${headline}`;
}
