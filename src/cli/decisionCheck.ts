import type { Command } from 'commander';
import { subDecisionKeys } from '../../workers/engine/index.js';
import {
  formatJson,
  parseExactly,
  type Difference,
  type Document,
  type ModelWork,
  type TestResult,
} from '../../workers/models/index.js';
import type { Bundle, Manifest } from '../../workers/protocol.js';
import { readContents, readNames } from '../decisions/contents.store.js';
import { createDirectory, newEntry, type Directory, type DirectoryEntry } from '../decisions/directory.js';
import { faultDocument, isError } from '../decisions/faults.js';
import { reachOf, type NamesOf } from '../decisions/writing/manifest.js';
import { runTests } from '../decisions/programs/testReport.js';
import { readDirectory } from '../decisions/writing/write.js';
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
  /** A model's text by its hash. */
  readonly textOf: (hash: string) => Promise<string>;
  readonly namesOf: NamesOf;
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
  const { directory, textOf, entries, placeOf, unreadable } = await subjectsOf(session, names, options);
  const find = session.findFaults();
  const progress = session.progress('checking', entries.length);
  const faults = [...unreadable];
  try {
    for (const { key, contentHash } of entries) {
      const candidate = { key, document: { hash: contentHash, text: await textOf(contentHash) } };
      const [found] = await find('', [candidate], directory);
      faults.push(...(found?.faults ?? []).map((fault) => ({ ...fault, place: placeOf(key) })));
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
  readonly tests: readonly { readonly name: string; readonly passed: boolean; readonly failures: readonly string[] }[];
}

async function testAll(session: Session, names: string[], options: Options): Promise<void> {
  const subjects = await subjectsOf(session, names, options);
  if (subjects.unreadable.length > 0) throw new Refusal(`some are no models.\n\n${drawFaults(subjects.unreadable)}`);
  const progress = session.progress('testing', subjects.entries.length);
  const tested: TestedModel[] = [];
  try {
    for (const entry of subjects.entries) {
      tested.push({ place: subjects.placeOf(entry.key), tests: await testOne(entry, subjects, session.modelWork()) });
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
async function testOne(
  entry: DirectoryEntry,
  { directory, textOf, namesOf }: Subjects,
  work: ModelWork,
): Promise<TestedModel['tests']> {
  const { decisions, manifest, programId } = await reachOf(entry, directory, namesOf);
  const contents: Record<string, string> = {};
  for (const { contentHash } of decisions) contents[contentHash] = await textOf(contentHash);
  const bundle = JSON.stringify({ manifest: JSON.parse(manifest) as Manifest, contents } satisfies Bundle);
  const { tests } = await runTests(work, { programId, workspaceId: '', bundle });
  return tests.map((text) => {
    const { name, passed, differences } = parseExactly(text) as TestResult;
    return { name, passed, failures: differences.map(lineOf) };
  });
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

const maxShown = 200;

function lineOf({ pointer, ...values }: Difference): string {
  const shown = (value: unknown): string => {
    if (value === undefined) return 'nothing';
    const text = formatJson(value);
    return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  };
  return `${placeOf(pointer)}: expected ${shown(values.expected)}, got ${shown(values.actual)}`;
}

async function subjectsOf(session: Session, names: string[], { workspace }: Options): Promise<Subjects> {
  if (workspace !== undefined) return storedSubjects(session, names, workspace);
  if (names.length === 0) throw new UsageError('name files or folders, or give --workspace.');
  const { candidates, faults } = await readFiles(session, names);
  const places = new Map(candidates.map(({ key, path }) => [key, path]));
  const entries = candidates.map(({ key, document }) => newEntry(key, document.hash));
  const documents = new Map(candidates.map(({ document }) => [document.hash, document]));
  return {
    directory: createDirectory(entries),
    textOf: (hash) => Promise.resolve(documents.get(hash)?.text ?? ''),
    namesOf: (hashes) => Promise.resolve(new Map(hashes.map((hash) => [hash, namesIn(documents.get(hash))]))),
    entries,
    placeOf: (key) => places.get(key) ?? key,
    unreadable: faults.map(({ path, ...fault }) => ({ ...fault, place: path })),
  };
}

/** `/fees/0/amount` as people write it: `fees[0].amount`. */
function placeOf(pointer: string): string {
  if (pointer === '') return 'the result';
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

const namesIn = (document: Document | undefined): string[] =>
  document === undefined ? [] : subDecisionKeys(document.model);

async function storedSubjects(session: Session, names: string[], workspace: string): Promise<Subjects> {
  const database = session.database();
  const { directory } = await readDirectory(database, workspace);
  const entries = names.map((name) => {
    const found = directory.find(name);
    if (found === undefined) throw new Refusal(`there is no decision ${JSON.stringify(name)} in this workspace.`);
    return found;
  });
  return {
    directory,
    textOf: async (hash) => (await readContents(database, [hash])).get(hash) ?? '',
    namesOf: (hashes) => readNames(database, hashes),
    entries: names.length === 0 ? directory.entries : entries,
    placeOf: (key) => key,
    unreadable: [],
  };
}
