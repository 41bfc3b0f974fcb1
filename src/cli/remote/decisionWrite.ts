import type { Command } from 'commander';
import type { Candidates } from '../../decisions/writing/candidates.js';
import { examples } from '../arguments.js';
import { readFiles } from '../decisionFiles.js';
import { exitCodes } from '../exitCodes.js';
import { Refusal } from '../failures.js';
import { countedDiagnostics, drawDiagnostics, locatedDiagnostic, type LocatedDiagnostic } from '../diagnostics.js';
import type { Session } from '../session.js';
import { table } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { findDecision } from './find.js';
import { importCandidates } from './import.js';
import type { ImportReport } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { ServiceRefusal } from './service.js';

/** `verdict decision import` and `save` */
export function registerDecisionWrite(decision: Command, session: Session): void {
  withConnection(decision.command('import'))
    .description('bring in models, all or none; a known key updates its working copy, a new one makes a decision')
    .argument('<path...>', 'a model, a folder (every *.json below it, key = relative path) or a zip of one')
    .option('--key <key>', 'the key to use for one file; else its name')
    .option('--save', 'save a version of each as well; exit 3 where nothing was new')
    .option('--message <text>', 'why, for the saved versions')
    .option('--force', 'store models with faults (not just warnings) as well, as working copies only')
    .addHelpText(
      'after',
      examples(
        'decision import fees.json --save --message "Spring rates"',
        'decision import fees.json --key shop/fees.json --workspace 0190…',
        'decision import models export.zip',
      ),
    )
    .action((paths: string[], options: ImportOptions) => bring(session, paths, options));
  withConnection(decision.command('save'))
    .description('save working copies as their next versions, each with all that it can reach')
    .argument('<decision...>', 'keys or ids')
    .option('--message <text>', 'why')
    .addHelpText('after', examples('decision save shop/fees.json --message "Spring rates"'))
    .action((names: string[], options: ConnectionOptions & { message?: string }) => save(session, names, options));
}

interface ImportOptions extends ConnectionOptions {
  readonly key?: string;
  readonly save?: boolean;
  readonly message?: string;
  readonly force?: boolean;
}

async function bring(session: Session, paths: readonly string[], options: ImportOptions): Promise<void> {
  const { save = false, force = false, message } = options;
  const service = session.service(options);
  const { candidates, diagnostics } = await readFiles(session, paths, options.key);
  refuseUnreadable('Nothing was imported', diagnostics);
  const files = new Map(candidates.map(({ key, path }) => [key, path]));
  const progress = session.progress('importing', candidates.length);
  const report = await importCandidates(service, candidates, { save, force, message, onSent: () => progress.advance() })
    .catch((error: unknown) => {
      if (!isFaulty(error)) throw error;
      const why = force && save ? ': a model with faults is never saved as a version' : '';
      const found = error.faults.map((fault) => locatedDiagnostic(files.get(fault.key) ?? fault.key, fault));
      throw refusal(`Nothing was imported${why}`, found);
    })
    .finally(() => progress.end());
  printReport(session, report, files);
  if (save && report.decisions.every(({ change }) => change === 'unchanged')) session.endWith(exitCodes.nothingChanged);
}

const isFaulty = (error: unknown): error is ServiceRefusal =>
  error instanceof ServiceRefusal && error.code === 'model_has_faults';

/** @throws Refusal where files hold no models */
export function refuseUnreadable(headline: string, diagnostics: Candidates['diagnostics']): void {
  const unreadable = diagnostics.map(({ path, ...diagnostic }) => ({ ...diagnostic, place: path }));
  if (unreadable.length > 0) throw refusal(headline, unreadable);
}

const refusal = (headline: string, diagnostics: readonly LocatedDiagnostic[]): Refusal =>
  new Refusal(`${headline} (${countedDiagnostics(diagnostics)}).\n\n${drawDiagnostics(diagnostics)}`);

/** @param files the files of the keys */
function printReport(session: Session, report: ImportReport, files: ReadonlyMap<string, string>): void {
  if (report.faults.length > 0) {
    const diagnostics = report.faults.map((fault) => locatedDiagnostic(files.get(fault.key) ?? fault.key, fault));
    const isBroken = report.faults.some(({ severity }) => severity === 'error');
    session.note(
      `Stored with ${countedDiagnostics(diagnostics)}${isBroken ? ", so it can't be saved as a version" : ''}:\n`,
    );
    session.note(`${drawDiagnostics(diagnostics)}\n`);
  }
  const decisions = report.decisions.map((each) => ({ ...each, changed: each.change !== 'unchanged' }));
  session.print({ ...report, decisions }, () =>
    table(
      ['key', 'now', '', 'id'],
      decisions.map(({ key, version, change, id }) => [
        key,
        version === 0 ? 'working copy' : `version ${version}`,
        change,
        id,
      ]),
    ),
  );
}

async function save(
  session: Session,
  names: readonly string[],
  { message, ...options }: ConnectionOptions & { message?: string },
): Promise<void> {
  const service = session.service(options);
  const found = [];
  for (const name of names) found.push(await findDecision(service, name));
  const decisions: { id: string; key: string; version: number; changed: true }[] = [];
  for (const { id, key } of found) {
    const body = JSON.stringify(message === undefined ? {} : { message });
    const saved = await service.send(operations.createVersion, { params: { id }, body }).catch((error: unknown) => {
      if (!isFaulty(error)) throw error;
      const diagnostics = error.faults.map((fault) => locatedDiagnostic(fault.key, fault));
      const before =
        decisions.length === 0 ? 'Nothing was saved' : `Only ${decisions.map((each) => each.key).join(', ')} was saved`;
      throw refusal(before, diagnostics);
    });
    decisions.push({ id, key, version: saved.body.version, changed: true });
  }
  session.print({ decisions }, () =>
    table(
      ['key', 'now', 'id'],
      decisions.map(({ key, version, id }) => [key, `version ${version}`, id]),
    ),
  );
}
