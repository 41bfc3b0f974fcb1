import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError } from '../../workers/engine/index.js';
import type { Command } from 'commander';
import { faultDocument, isError } from '../decisions/faults.js';
import { compileDecision } from '../decisions/compileDecision.js';
import { createDirectory, newEntry, type Directory, type DirectoryEntry } from '../decisions/directory.js';
import { createModels, faultsOf, type Models } from '../decisions/models.js';
import { readTests, runTest, type TestResult } from '../decisions/modelTests.js';
import { examples, parseCount } from './arguments.js';
import { readFiles } from './decisionFiles.js';
import { exitCodes } from './exitCodes.js';
import { NotSignedIn, Refusal, UsageError } from './failures.js';
import { counted, countedFaults, drawFaults, type PlacedFault } from './faults.js';
import { printable } from './printable.js';
import { testStored, validateStored } from './remote/check.js';
import { findConnection, withConnection, type ConnectionOptions } from './remote/connection.js';
import type { Session } from './session.js';

/** The files to be checked. */
interface Subjects {
  readonly directory: Directory;
  readonly models: Models;
  readonly entries: readonly DirectoryEntry[];
  /** The file of a key. */
  readonly placeOf: (key: string) => string;
  /** Files that hold no model at all. */
  readonly unreadable: readonly PlacedFault[];
}

interface TestOptions extends ConnectionOptions {
  readonly version: number;
}

/** `verdict decision validate` and `verdict decision test`: of files, without a server, or of what a workspace holds. */
export function registerCheck(decision: Command, session: Session): void {
  const subject = 'files, folders or zips, which need no server; else keys or ids of the workspace, or nothing for all';
  withConnection(decision.command('validate'))
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
    .addHelpText('after', examples('decision test models', 'decision test shop/fees.json --version 3'))
    .action(async (names: string[], options: TestOptions) =>
      (await areFiles(session, names, options)) ? testFiles(session, names) : testStored(session, names, options),
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
  const { directory, models, entries, placeOf, unreadable } = await subjectsOf(session, names);
  const progress = session.progress('checking', entries.length);
  const faults = [...unreadable];
  try {
    for (const { key, contentHash } of entries) {
      const found = faultsOf(await models.get(contentHash), key, { directory, limits: models.limits });
      faults.push(...found.map((fault) => ({ ...fault, place: placeOf(key) })));
      progress.advance();
    }
  } finally {
    progress.end();
  }
  const checked = entries.length + unreadable.length;
  const valid = !faults.some(isError);
  const documents = faults.map(({ place, ...fault }) => ({
    place,
    code: fault.fault.code,
    ...faultDocument(fault),
  }));
  session.print({ valid, checked, faults: documents }, () => {
    const summary = `${counted(checked, 'model')}, ${countedFaults(faults)}`;
    return faults.length === 0 ? summary : `${drawFaults(faults)}\n\n${summary}`;
  });
  if (!valid) session.endWith(exitCodes.refused);
}

interface TestedModel {
  readonly place: string;
  readonly tests: readonly TestResult[];
}

async function testFiles(session: Session, names: string[]): Promise<void> {
  const subjects = await subjectsOf(session, names);
  if (subjects.unreadable.length > 0) throw new Refusal(`some are no models.\n\n${drawFaults(subjects.unreadable)}`);
  const progress = session.progress('testing', subjects.entries.length);
  const tested: TestedModel[] = [];
  try {
    for (const entry of subjects.entries) {
      tested.push({ place: subjects.placeOf(entry.key), tests: await testOne(entry, subjects) });
      progress.advance();
    }
  } finally {
    progress.end();
  }
  const all = tested.flatMap(({ tests }) => tests);
  const failed = all.filter(({ passed }) => !passed).length;
  session.print({ passed: all.length - failed, failed, models: tested }, () => drawTests(tested, failed));
  if (failed > 0) session.endWith(exitCodes.refused);
}

/** A model that can't run, or whose tests can't be read, counts as a failed test. */
async function testOne(entry: DirectoryEntry, { directory, models }: Subjects): Promise<TestResult[]> {
  const { tests, faults } = readTests(await models.exact(entry.contentHash));
  const results: TestResult[] = faults.map((fault) => ({ name: 'tests', passed: false, failures: [fault] }));
  if (tests.length === 0) return results;
  try {
    const program = await compileDecision(entry, directory, models);
    for (const test of tests) results.push(await runTest(program, test));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    results.push({ name: 'model', passed: false, failures: [error.message] });
  }
  return results;
}

function drawTests(tested: readonly TestedModel[], failed: number): string {
  const lines = tested.flatMap(({ place, tests }) => [
    `${printable(place)}: ${tests.length === 0 ? 'no tests' : `${tests.filter(({ passed }) => passed).length} of ${tests.length} passed`}`,
    ...tests
      .filter(({ passed }) => !passed)
      .flatMap(({ name, failures }) => [
        `  ✗ ${printable(name)}`,
        ...failures.map((line) => `      ${printable(line)}`),
      ]),
  ]);
  const passed = tested.reduce((sum, { tests }) => sum + tests.length, 0) - failed;
  return [...lines, '', `${passed} passed, ${failed} failed`].join('\n');
}

async function subjectsOf(session: Session, names: string[]): Promise<Subjects> {
  const { candidates, faults } = await readFiles(session, names);
  const places = new Map(candidates.map(({ key, path }) => [key, path]));
  const entries = candidates.map(({ key, document }) => newEntry(key, document.hash));
  return {
    directory: createDirectory(entries),
    models: createModels(
      null,
      candidates.map(({ document }) => document),
      session.limits(),
    ),
    entries,
    placeOf: (key) => places.get(key) ?? key,
    unreadable: faults.map(({ path, ...fault }) => ({ ...fault, place: path })),
  };
}
