import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { subDecisionKeys } from '../../workers/engine/index.js';
import { parseExactly } from '../../workers/json/index.js';
import { createModelWork, type Document, type ModelWork } from '../../workers/models/index.js';
import type { Bundle, Manifest } from '../../workers/protocol.js';
import { DecisionIndex, newEntry, type DecisionEntry } from '../decisions/decisionIndex.js';
import { faultDocument, isError } from '../decisions/diagnostics.js';
import { runTests } from '../decisions/programs/testReport.js';
import { createFindDiagnostics } from '../decisions/writing/checks.js';
import { reachOf, type NamesOf } from '../decisions/writing/manifest.js';
import { examples, parseCount } from './arguments.js';
import { readFiles } from './decisionFiles.js';
import { exitCodes } from './exitCodes.js';
import { NotSignedIn, Refusal, UsageError } from './failures.js';
import { counted, countedDiagnostics, drawDiagnostics, type LocatedDiagnostic } from './diagnostics.js';
import { testStored, validateStored } from './remote/check.js';
import { findConnection, withConnection, type ConnectionOptions } from './remote/connection.js';
import type { TestReport, TestResult } from '#openapi/types.gen.js';
import type { Session } from './session.js';
import { printReports, type LocatedReport } from './testReports.js';

/** The files to be checked. */
interface Subjects {
  readonly decisionIndex: DecisionIndex;
  /** A model's text by its hash. */
  readonly textOf: (hash: string) => string;
  readonly namesOf: NamesOf;
  readonly entries: readonly DecisionEntry[];
  /** The file of a key. */
  readonly fileOf: (key: string) => string;
  /** Files that hold no model at all. */
  readonly unreadable: readonly LocatedDiagnostic[];
}

interface TestOptions extends ConnectionOptions {
  readonly version: number;
  readonly junit?: string;
}

/** `verdict decision validate` and `verdict decision test`: of files, without a server, or of what a workspace holds. */
export function registerCheck(decision: Command, session: Session): void {
  const subject = 'files, folders or zips, which need no server; else keys or ids of the workspace, or nothing for all';
  withConnection(decision.command('validate').alias('check'))
    .description('find every fault of models, each with its place; exit 1 if one is an error, and not just a warning')
    .argument('[what...]', subject)
    .addHelpText('after', examples('decision validate models', 'decision validate shop/fees.json --workspace 0190…'))
    .action(async (names: string[], options: ConnectionOptions) =>
      (await areFiles(session, names, options))
        ? validateFiles(session, names)
        : validateStored(session, names, options),
    );
  withConnection(decision.command('test'))
    .description("run models' own tests, [{input, output}], with an optional name and env; exit 1 if one fails")
    .argument('[what...]', subject)
    .option(
      '--version <n>',
      'of what a workspace holds: this version; 0 is the working copy',
      parseCount(0, maxVersion),
      0,
    )
    .option('--junit <file>', 'write the results as JUnit XML, too')
    .addHelpText(
      'after',
      examples(
        'decision test models',
        'decision test models --junit tests.xml',
        'decision test shop/fees.json --version 3',
      ),
    )
    .action(async (names: string[], options: TestOptions) =>
      (await areFiles(session, names, options))
        ? testFiles(session, names, options)
        : testStored(session, names, options),
    );
}

const maxVersion = 2_147_483_647;

/**
 * Whether files are meant: the names are there, and no workspace is named.
 * @throws UsageError where some are there and others are not; NotSignedIn where there is no workspace to look them up in
 */
async function areFiles(session: Session, names: readonly string[], options: ConnectionOptions): Promise<boolean> {
  if (options.workspace !== undefined || names.length === 0) return false;
  const isThere = (name: string): Promise<boolean> =>
    stat(resolve(session.directory, name)).then(
      () => true,
      () => false,
    );
  const missing: string[] = [];
  for (const name of names) if (!(await isThere(name))) missing.push(name);
  if (missing.length === 0) return true;
  const shown = missing.map((name) => JSON.stringify(name)).join(', ');
  if (missing.length < names.length) throw new UsageError(`there is no file ${shown}; name either files or decisions.`);
  try {
    findConnection(options, session.environment);
  } catch (error) {
    throw error instanceof NotSignedIn ? new NotSignedIn(`there is no file ${shown}, and ${error.message}`) : error;
  }
  return false;
}

async function validateFiles(session: Session, names: string[]): Promise<void> {
  const { decisionIndex, textOf, entries, fileOf, unreadable } = await subjectsOf(session, names);
  const find = createFindDiagnostics(createModelWork(session.limits()));
  const progress = session.progress('checking', entries.length);
  const diagnostics = [...unreadable];
  try {
    for (const { key, contentHash } of entries) {
      const candidate = { key, document: { hash: contentHash, text: textOf(contentHash) } };
      const [found] = await find({ workspaceId: '' }, [candidate], decisionIndex);
      diagnostics.push(...(found?.diagnostics ?? []).map((diagnostic) => ({ ...diagnostic, place: fileOf(key) })));
      progress.advance();
    }
  } finally {
    progress.end();
  }
  const checked = entries.length + unreadable.length;
  const valid = !diagnostics.some(isError);
  const documents = diagnostics.map(({ place, ...diagnostic }) => ({
    place,
    code: diagnostic.diagnostic.code,
    ...faultDocument(diagnostic),
  }));
  session.print({ valid, checked, faults: documents }, () => {
    const summary = `${counted(checked, 'model')}, ${countedDiagnostics(diagnostics)}`;
    return diagnostics.length === 0 ? summary : `${drawDiagnostics(diagnostics)}\n\n${summary}`;
  });
  if (!valid) session.endWith(exitCodes.refused);
}

async function testFiles(session: Session, names: string[], options: TestOptions): Promise<void> {
  const subjects = await subjectsOf(session, names);
  if (subjects.unreadable.length > 0)
    throw new Refusal(`some are no models.\n\n${drawDiagnostics(subjects.unreadable)}`);
  const work = createModelWork(session.limits());
  const progress = session.progress('testing', subjects.entries.length);
  const reports: LocatedReport[] = [];
  try {
    for (const entry of subjects.entries) {
      reports.push({ place: subjects.fileOf(entry.key), ...(await testOne(work, entry, subjects)) });
      progress.advance();
    }
  } finally {
    progress.end();
  }
  await printReports(session, reports, options);
}

/** Whoever tests files uses their own memory and time. */
const onItsOwnMachine = { gone: () => false, reservation: { grow: () => undefined } };
const unlimited = { tests: Infinity, ms: Infinity, length: Infinity };

/** A model that can't run, or whose tests can't be read, counts as a failed test. */
async function testOne(
  work: ModelWork,
  entry: DecisionEntry,
  { decisionIndex, textOf, namesOf }: Subjects,
): Promise<TestReport> {
  const { decisions, manifest, programId } = await reachOf(entry, decisionIndex, namesOf);
  const contents = Object.fromEntries(decisions.map(({ contentHash }) => [contentHash, textOf(contentHash)]));
  const bundle = JSON.stringify({ manifest: JSON.parse(manifest) as Manifest, contents } satisfies Bundle);
  const report = await runTests(work, { programId, workspaceId: '', bundle }, onItsOwnMachine, unlimited);
  const coverage = JSON.parse(report.coverage) as TestReport['coverage'];
  return { ...report, coverage, tests: report.tests.map((text) => parseExactly(text) as TestResult) };
}

async function subjectsOf(session: Session, names: string[]): Promise<Subjects> {
  const { candidates, diagnostics } = await readFiles(session, names);
  const files = new Map(candidates.map(({ key, path }) => [key, path]));
  const entries = candidates.map(({ key, document }) => newEntry(key, document.hash));
  const documents = new Map(candidates.map(({ document }) => [document.hash, document]));
  return {
    decisionIndex: DecisionIndex.ofFiles(entries),
    textOf: (hash) => documents.get(hash)?.text ?? '',
    namesOf: (hashes) => Promise.resolve(new Map(hashes.map((hash) => [hash, namesIn(documents.get(hash))]))),
    entries,
    fileOf: (key) => files.get(key) ?? key,
    unreadable: diagnostics.map(({ path, ...diagnostic }) => ({ ...diagnostic, place: path })),
  };
}

const namesIn = (document: Document | undefined): string[] =>
  document === undefined ? [] : subDecisionKeys(document.model);
