import type { Decision } from '../../../decisions/routes/decisions.schema.js';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { examples } from '../../arguments.js';
import { exitCodes } from '../../exitCodes.js';
import { Refusal } from '../../failures.js';
import { countedDiagnostics, drawDiagnostics, locatedDiagnostic } from '../../diagnostics.js';
import { printable } from '../../printable.js';
import type { Session } from '../../session.js';
import { table } from '../../table.js';
import { withConnection, type ConnectionOptions } from '../connection.js';
import { refuseUnreadable } from '../decisionWrite.js';
import { importCandidates, revisionOf } from '../import.js';
import { operations } from '#openapi/operations.gen.js';
import { ServiceRefusal, type Service } from '../service.js';
import { changedByOthers, compare, readRemote } from './compare.js';
import { hashesOf, readModels } from './read.js';
import { readState, writeState } from './state.js';

interface Options extends ConnectionOptions {
  readonly save?: boolean;
  readonly message?: string;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly okIfUnchanged?: boolean;
}

/** `verdict push` and `diff` */
export function registerPush(program: Command, session: Session): void {
  withConnection(program.command('push'))
    .description(
      'bring the models of a folder into a workspace, all or none. Refused where others have changed something there since ' +
        'the last pull or push; exit 3 where there is nothing new',
    )
    .argument('<folder>', 'every *.json below it is a model, its path the key')
    .option('--save', 'save a version of each as well')
    .option('--message <text>', 'why, for the saved versions')
    .option('--dry-run', 'say what would be, and store nothing')
    .option('--prune', 'then delete the decisions that the folder does not have')
    .option('--ok-if-unchanged', 'exit 0 where there is nothing new, too')
    .addHelpText(
      'after',
      examples(
        'push models --save --message "Spring rates"',
        'push models --dry-run --prune',
        'push models --save --ok-if-unchanged',
      ),
    )
    .action((folder: string, options: Options) => push(session, folder, options));
  withConnection(program.command('diff'))
    .description('show which models of a folder are others than those of a workspace: what push would change')
    .argument('<folder>', 'every *.json below it is a model, its path the key')
    .addHelpText('after', examples('diff models', 'diff models --profile production --json'))
    .action((folder: string, options: ConnectionOptions) => diff(session, folder, options));
}

async function diff(session: Session, folder: string, options: ConnectionOptions): Promise<void> {
  const service = session.service(options);
  const models = await readModels(session, folder);
  refuseUnreadable('Nothing was compared', models.diagnostics);
  const { revision, hashes } = await readRemote(service);
  const decisions = compare(hashesOf(models), hashes);
  session.print({ revision, decisions }, () =>
    decisions.length === 0
      ? 'no differences'
      : table(
          ['key', ''],
          decisions.map(({ key, change }) => [key, change]),
        ),
  );
}

async function push(session: Session, folder: string, options: Options): Promise<void> {
  const { save = false, dryRun = false, prune = false, okIfUnchanged = false, message } = options;
  const service = session.service(options);
  const models = await readModels(session, folder);
  refuseUnreadable('Nothing was pushed', models.diagnostics);
  const { candidates } = models;
  if (candidates.length === 0) throw new Refusal(`${printable(folder)} has no .json files in it.`);
  const root = resolve(session.directory, folder);
  const local = hashesOf(models);
  const remote = await readRemote(service);
  requireOwnChanges(changedByOthers(local, remote.hashes, readState(root, service.workspaceId()) ?? remote.hashes));
  const progress = session.progress('pushing', candidates.length);
  const report = await importCandidates(service, candidates, {
    ...{ save, message, dryRun },
    base: remote.revision,
    onSent: () => progress.advance(),
  })
    .catch((error: unknown) => refuse(error, new Map(candidates.map(({ key, path }) => [key, path]))))
    .finally(() => progress.end());
  const surplus = prune ? [...remote.decisions.values()].filter(({ key }) => !local.has(key)) : [];
  const { deleted, kept } = dryRun ? { deleted: surplus, kept: [] } : await deleteAll(session, service, surplus);
  if (!dryRun) {
    const left = [...remote.hashes].filter(([key]) => !deleted.some((each) => each.key === key));
    writeState(root, service.workspaceId(), new Map([...left, ...local]));
  }
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: deleted.length };
  for (const { change } of report.decisions) counts[change]++;
  const revision = deleted.length > 0 && !dryRun ? await revisionOf(service) : report.revision;
  const document = {
    ...{ revision, dryRun, decisions: report.decisions },
    deleted: deleted.map(({ id, key }) => ({ id, key })),
    kept: kept.map(({ decision, reason }) => ({ id: decision.id, key: decision.key, reason })),
    faults: report.faults,
  };
  if (report.faults.length > 0) {
    const diagnostics = report.faults.map((fault) => locatedDiagnostic(fault.key, fault));
    session.note(`${countedDiagnostics(diagnostics)}:\n\n${drawDiagnostics(diagnostics)}\n`);
  }
  for (const { decision, reason } of kept) session.note(`${decision.key} was not deleted: ${reason}`);
  session.print(document, () => drawn({ changes: report.decisions, deleted, counts, dryRun }));
  if (kept.length > 0) session.endWith(exitCodes.refused);
  else if (!okIfUnchanged && counts.created + counts.updated + counts.deleted === 0)
    session.endWith(exitCodes.nothingChanged);
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
  if (!(error instanceof ServiceRefusal)) throw error;
  if (error.code === 'precondition_failed') {
    throw new Refusal(
      'others have just changed the workspace, so nothing was pushed (412 precondition_failed). Pull first.',
    );
  }
  if (error.code !== 'model_has_faults') throw error;
  const diagnostics = error.faults.map((fault) => locatedDiagnostic(files.get(fault.key) ?? fault.key, fault));
  throw new Refusal(`Nothing was pushed (${countedDiagnostics(diagnostics)}).\n\n${drawDiagnostics(diagnostics)}`);
}

interface Deleted {
  readonly deleted: readonly Decision[];
  /** With what the service said. */
  readonly kept: readonly { readonly decision: Decision; readonly reason: string }[];
}

/** Deletes decisions in an order in which none is in use any more by another of them. */
async function deleteAll(session: Session, service: Service, decisions: readonly Decision[]): Promise<Deleted> {
  const progress = session.progress('deleting', decisions.length);
  const deleted: Decision[] = [];
  let kept: { decision: Decision; reason: string }[] = [];
  try {
    for (let left = decisions; left.length > 0; left = kept.map(({ decision }) => decision)) {
      kept = [];
      for (const decision of left) {
        const reason = await deleteOne(service, decision);
        if (reason === undefined) {
          deleted.push(decision);
          progress.advance();
        } else kept.push({ decision, reason });
      }
      if (kept.length === left.length) break;
    }
  } finally {
    progress.end();
  }
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

interface Pushed {
  readonly changes: readonly { readonly key: string; readonly version: number; readonly change: string }[];
  readonly deleted: readonly Decision[];
  readonly counts: Readonly<Record<string, number>>;
  readonly dryRun: boolean;
}

/** What is unchanged is counted alone. */
function drawn({ changes, deleted, counts, dryRun }: Pushed): string {
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
