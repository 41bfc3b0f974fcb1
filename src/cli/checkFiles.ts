import { subDecisionKeys } from '../../workers/engine/index.js';
import { parseExactly } from '../../workers/json/index.js';
import { createModelWork, type Document, type ModelWork } from '../../workers/models/index.js';
import type { Bundle, Manifest } from '../../workers/protocol.js';
import { DecisionIndex, newEntry, type DecisionEntry } from '../decisions/decisionIndex.js';
import { faultDocument, isError, isUnknown } from '../decisions/diagnostics.js';
import { runTests } from '../decisions/programs/testReport.js';
import { createFindDiagnostics } from '../decisions/writing/checkContents.js';
import { reachOf, type NamesOf } from '../decisions/writing/manifest.js';
import { readFiles } from './decisionFiles.js';
import { Refusal } from './failures.js';
import { drawDiagnostics, type LocatedDiagnostic } from './diagnostics.js';
import type { TestReport, TestResult } from '#openapi/types.gen.js';
import type { Session } from './session.js';
import type { LocatedReport } from './testReports.js';

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

/** What `decision validate` finds. */
export interface Validated {
  readonly valid: boolean;
  readonly checked: number;
  /** As --json prints them. */
  readonly faults: readonly object[];
  /** As people see them. */
  readonly diagnostics: readonly LocatedDiagnostic[];
}

/** Validates models that stand in files, each with the others as its sub-decisions. */
export async function validateFiles(session: Session, names: readonly string[]): Promise<Validated> {
  const { decisionIndex, textOf, entries, fileOf, unreadable } = await subjectsOf(session, names);
  const find = createFindDiagnostics(createModelWork(session.limits()));
  const diagnostics = [...unreadable];
  await session.during('checking', entries.length, async (advance) => {
    for (const { key, contentHash } of entries) {
      const candidate = { key, document: { hash: contentHash, text: textOf(contentHash) } };
      const [found] = await find({ workspaceId: '' }, [candidate], decisionIndex);
      diagnostics.push(...(found?.diagnostics ?? []).map((diagnostic) => ({ ...diagnostic, place: fileOf(key) })));
      advance();
    }
  });
  const faults = diagnostics.map(({ place, ...diagnostic }) => ({
    place,
    code: diagnostic.diagnostic.code,
    ...faultDocument(diagnostic),
  }));
  return {
    valid: !diagnostics.some((each) => isError(each) || isUnknown(each)),
    checked: entries.length + unreadable.length,
    faults,
    diagnostics,
  };
}

/** Runs the tests of models that stand in files. */
export async function testFiles(session: Session, names: readonly string[]): Promise<readonly LocatedReport[]> {
  const subjects = await subjectsOf(session, names, true);
  if (subjects.unreadable.length > 0)
    throw new Refusal(`some are no models.\n\n${drawDiagnostics(subjects.unreadable)}`);
  const work = createModelWork(session.limits());
  return session.during('testing', subjects.entries.length, async (advance) => {
    const reports: LocatedReport[] = [];
    for (const entry of subjects.entries) {
      reports.push({ place: subjects.fileOf(entry.key), ...(await testOne(work, entry, subjects)) });
      advance();
    }
    return reports;
  });
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

async function subjectsOf(session: Session, names: readonly string[], kit = false): Promise<Subjects> {
  const { candidates, diagnostics } = await readFiles(session, names, { kit });
  const files = new Map(candidates.map(({ key, path }) => [key, path]));
  const entries = candidates.map(({ key, document }) => newEntry(key, document));
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
