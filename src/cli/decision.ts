import type { Command } from 'commander';
import { isError } from '../decisions/faults.js';
import { operator } from '../audit/actor.js';
import { importDecisions } from '../decisions/writing/import.js';
import { listDecisions } from '../decisions/decisions.store.js';
import { parseExactly } from '../../workers/models/index.js';
import { readContents } from '../decisions/contents.store.js';
import { saveDecisions, type DecisionResult, type WriteOutcome } from '../decisions/writing/save.js';
import { listVersions } from '../decisions/versions.store.js';
import { readDirectory, requireRevision } from '../decisions/writing/write.js';
import { examples, requiredId } from './arguments.js';
import { registerCheck } from './decisionCheck.js';
import { readFiles } from './decisionFiles.js';
import { Refusal } from './failures.js';
import { countedFaults, drawFaults, type PlacedFault } from './faults.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

/** `verdict decision …` */
export function registerDecision(program: Command, session: Session): void {
  const decision = program.command('decision').description('models, their working copies and saved versions');
  registerImport(decision, session);
  registerSave(decision, session);
  registerRead(decision, session);
  registerCheck(decision, session);
}

interface ImportOptions {
  readonly workspace: string;
  readonly key?: string;
  readonly save?: boolean;
  readonly force?: boolean;
}

function registerImport(decision: Command, session: Session): void {
  decision
    .command('import')
    .description('bring in models, all or none; a known key updates its working copy, a new one makes a decision')
    .argument('<path...>', 'a model, a folder (every *.json below it, key = relative path) or a zip of one')
    .addOption(requiredId('workspace', 'the workspace that the decisions belong to'))
    .option('--key <key>', 'the key to use for one file; else its name')
    .option('--save', 'save a version of each as well')
    .option('--force', 'store models with faults (not just warnings) as well, as working copies only')
    .addHelpText(
      'after',
      examples(
        'decision import fees.json --workspace 0190… --save',
        'decision import fees.json --key shop/fees.json --workspace 0190…',
        'decision import models export.zip --workspace 0190…',
      ),
    )
    .action(async (paths: string[], options: ImportOptions) => {
      const { candidates, faults } = await readFiles(session, paths, options.key);
      const unreadable = faults.map(({ path, ...fault }) => ({ ...fault, place: path }));
      if (unreadable.length > 0) throw refusal('Nothing was imported', unreadable);
      const placeOf = new Map(candidates.map(({ key, path }) => [key, path]));
      const progress = session.progress('checking', candidates.length);
      const outcome = await importDecisions(session.database(), {
        workspaceId: options.workspace,
        actor: operator(),
        candidates,
        save: options.save === true,
        force: options.force === true,
        find: session.findFaults(() => progress.advance()),
      }).finally(() => progress.end());
      printOutcome(session, outcome, { placeOf, refused: refusedImport(options) });
    });
}

function refusedImport({ save, force }: ImportOptions): string {
  if (save === true && force === true) return 'Nothing was imported: a model with faults is never saved as a version';
  return 'Nothing was imported';
}

function registerSave(decision: Command, session: Session): void {
  decision
    .command('save')
    .description('save working copies as their next versions, each with all that it can reach')
    .argument('<decision...>', 'keys or ids')
    .addOption(requiredId('workspace', 'the workspace that the decisions belong to'))
    .addHelpText('after', examples('decision save shop/fees.json --workspace 0190…'))
    .action(async (names: string[], options: { workspace: string }) => {
      const { workspace: workspaceId } = options;
      const outcome = await saveDecisions(session.database(), {
        workspaceId,
        actor: operator(),
        names,
        find: session.findFaults(),
      });
      printOutcome(session, outcome, { placeOf: new Map(), refused: 'Nothing was saved' });
    });
}

function printOutcome(
  session: Session,
  outcome: WriteOutcome,
  { placeOf, refused }: { placeOf: ReadonlyMap<string, string>; refused: string },
): void {
  if (outcome.kind === 'unknown') throw new Refusal(noSuchDecision(outcome.names));
  const faults = outcome.faults.map((fault) => ({ ...fault, place: placeOf.get(fault.key) ?? fault.key }));
  if (outcome.kind === 'refused') throw refusal(refused, faults);
  if (faults.length > 0) {
    const consequence = faults.some(isError) ? ", so it can't be saved as a version" : '';
    session.note(`Stored with ${countedFaults(faults)}${consequence}:\n`);
    session.note(`${drawFaults(faults)}\n`);
  }
  const rows = ({ key, id, version, change }: DecisionResult): string[] => [
    key,
    version === 0 ? 'working copy' : `version ${version}`,
    change === 'unchanged' ? 'unchanged' : 'changed',
    id,
  ];
  const decisions = outcome.decisions.map(({ change, ...rest }) => ({ ...rest, changed: change !== 'unchanged' }));
  session.print({ decisions }, () => table(['key', 'now', '', 'id'], outcome.decisions.map(rows)));
}

const refusal = (headline: string, faults: readonly PlacedFault[]): Refusal =>
  new Refusal(`${headline} (${countedFaults(faults)}).\n\n${drawFaults(faults)}`);

const noSuchDecision = (names: readonly string[]): string =>
  `there is no decision ${names.map((name) => JSON.stringify(name)).join(', ')} in this workspace. See: verdict decision list`;

function registerRead(decision: Command, session: Session): void {
  decision
    .command('list')
    .description("list the workspace's decisions by key")
    .addOption(requiredId('workspace', 'the workspace'))
    .addHelpText('after', examples('decision list --workspace 0190…'))
    .action(async ({ workspace }: { workspace: string }) => {
      await requireRevision(session.database(), workspace);
      const decisions = (await listDecisions(session.database(), workspace)).map(
        ({ id, key, latestVersion, faults, createdAt, updatedAt }) => ({
          id,
          key,
          latestVersion,
          faulty: faults > 0,
          createdAt,
          updatedAt,
        }),
      );
      session.print({ decisions }, () =>
        table(
          ['key', 'newest version', 'faults', 'id', 'updated'],
          decisions.map((row) => [
            row.key,
            row.latestVersion === 0 ? 'none' : row.latestVersion,
            row.faulty ? 'yes' : '',
            row.id,
            row.updatedAt,
          ]),
        ),
      );
    });
  decision
    .command('show')
    .description('show a decision, its versions, and with --json its working copy')
    .argument('<decision>', 'key or id')
    .addOption(requiredId('workspace', 'the workspace'))
    .addHelpText('after', examples('decision show shop/fees.json --workspace 0190…'))
    .action((name: string, { workspace }: { workspace: string }) => show(session, name, workspace));
}

async function show(session: Session, name: string, workspaceId: string): Promise<void> {
  const database = session.database();
  const { directory } = await readDirectory(database, workspaceId);
  const found = directory.find(name);
  if (found === undefined) throw new Refusal(noSuchDecision([name]));
  const { id, key, latestVersion, contentHash } = found;
  const faulty = found.faults > 0;
  const versions = (await listVersions(database, workspaceId, id)).map(({ version, programId, createdAt }) => ({
    version,
    programId,
    createdAt,
  }));
  const content = parseExactly((await readContents(database, [contentHash])).get(contentHash) ?? 'null');
  session.print({ id, key, latestVersion, faulty, contentHash, versions, content }, () =>
    [
      record({
        key,
        id,
        'newest version': latestVersion,
        faults: faulty ? 'yes' : 'none',
        'content hash': contentHash,
      }),
      '',
      table(
        ['version', 'program', 'saved'],
        versions.map(({ version, programId, createdAt }) => [version, programId.slice(0, 12), createdAt]),
      ),
    ].join('\n'),
  );
}
