import { EngineError } from '../../workers/engine/index.js';
import type { Command } from 'commander';
import { faultDocument, isError } from '../decisions/faults.js';
import { compileDecision } from '../decisions/compileDecision.js';
import { createDirectory, type Directory, type DirectoryEntry } from '../decisions/directory.js';
import { createModels, faultsOf, type Models } from '../decisions/models.js';
import { readTests, runTest, type TestResult } from '../../workers/models/index.js';
import { readDirectory } from '../decisions/write.js';
import { newId } from '../storage/ids.js';
import { examples, parseId } from './arguments.js';
import { readFiles } from './decisionFiles.js';
import { Refusal, UsageError } from './failures.js';
import { counted, countedFaults, drawFaults, type PlacedFault } from './faults.js';
import { printable } from './printable.js';
import type { Session } from './session.js';

interface Options {
  readonly workspace?: string;
}

/** What is to be checked, from files or from a workspace. */
interface Subjects {
  readonly directory: Directory;
  readonly models: Models;
  readonly entries: readonly DirectoryEntry[];
  /** How people find a decision again: its file, or its key. */
  readonly placeOf: (key: string) => string;
  /** Files that hold no model at all. */
  readonly unreadable: readonly PlacedFault[];
}

/** `verdict decision validate` and `verdict decision test`: of files, without a server, or of stored working copies. */
export function registerCheck(decision: Command, session: Session): void {
  const subject = 'files, folders or zips; with --workspace: keys or ids, or nothing for all';
  const workspace = [
    '--workspace <id>',
    'check stored working copies instead of files (files need no database)',
    parseId,
  ] as const;
  decision
    .command('validate')
    .description('find every fault of models, each with its place; exit 1 if one is an error, and not just a warning')
    .argument('[what...]', subject)
    .option(...workspace)
    .addHelpText('after', examples('decision validate models', 'decision validate fees.json --workspace 0190…'))
    .action((names: string[], options: Options) => validateAll(session, names, options));
  decision
    .command('test')
    .description("run models' own tests, [{input, output}], with an optional name and env; exit 1 if one fails")
    .argument('[what...]', subject)
    .option(...workspace)
    .addHelpText('after', examples('decision test models', 'decision test --workspace 0190…'))
    .action((names: string[], options: Options) => testAll(session, names, options));
}

async function validateAll(session: Session, names: string[], options: Options): Promise<void> {
  const { directory, models, entries, placeOf, unreadable } = await subjectsOf(session, names, options);
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
  if (!valid) session.refuse();
}

interface TestedModel {
  readonly place: string;
  readonly tests: readonly TestResult[];
}

async function testAll(session: Session, names: string[], options: Options): Promise<void> {
  const subjects = await subjectsOf(session, names, options);
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
  if (failed > 0) session.refuse();
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

async function subjectsOf(session: Session, names: string[], { workspace }: Options): Promise<Subjects> {
  if (workspace !== undefined) return storedSubjects(session, names, workspace);
  if (names.length === 0) throw new UsageError('name files or folders, or give --workspace.');
  const { candidates, faults } = await readFiles(session, names);
  const places = new Map(candidates.map(({ key, path }) => [key, path]));
  const entries = candidates.map(({ key, document }) => ({
    id: newId(),
    key,
    contentHash: document.hash,
    faulty: false,
    latestVersion: 0,
  }));
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

async function storedSubjects(session: Session, names: string[], workspace: string): Promise<Subjects> {
  const { directory } = await readDirectory(session.database(), workspace);
  const entries = names.map((name) => {
    const found = directory.find(name);
    if (found === undefined) throw new Refusal(`there is no decision ${JSON.stringify(name)} in this workspace.`);
    return found;
  });
  return {
    directory,
    models: createModels(session.database(), [], session.limits()),
    entries: names.length === 0 ? directory.entries : entries,
    placeOf: (key) => key,
    unreadable: [],
  };
}
