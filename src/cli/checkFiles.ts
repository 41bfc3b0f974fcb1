import { subDecisionKeys } from '../../workers/engine/index.js';
import { parseExactly } from '../../workers/json/index.js';
import { createModelWork, type ModelWork } from '../../workers/models/index.js';
import type { Bundle, Manifest } from '../../workers/protocol.js';
import type { DecisionIndex } from '../decisions/decisionIndex.js';
import { faultDocument, isError, isUnknown } from '../decisions/diagnostics.js';
import { runTests } from '../decisions/programs/testReport.js';
import { createFindDiagnostics } from '../decisions/writing/checkContents.js';
import { reachOf, type NamesOf } from '../decisions/writing/manifest.js';
import type { Call } from './command.js';
import { readFiles } from './decisionFiles.js';
import { Refusal } from './failures.js';
import { drawDiagnostics, type LocatedDiagnostic } from './diagnostics.js';
import { neighbourhoodOf, type Neighbourhood } from './neighbours.js';
import type { FileCandidate } from './sources/candidates.js';
import { operations } from '#openapi/operations.gen.js';
import type { TestReport, TestResult } from '#openapi/types.gen.js';
import type { Session } from './session.js';
import type { LocatedReport } from './testReports.js';

/** The files to be checked. */
interface Subjects extends Pick<Neighbourhood, 'isPulled'> {
  /** @param others keys that the workspace has besides */
  readonly indexWith: (others?: ReadonlySet<string>) => DecisionIndex;
  /** A model's text by its hash. */
  readonly textOf: (hash: string) => string;
  readonly namesOf: NamesOf;
  readonly candidates: readonly FileCandidate[];
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

/**
 * Validates models that stand in files, each with the others and the files beside them as its sub-decisions. What a pulled folder
 * has not is looked for in its workspace, where somebody is signed in.
 */
export async function validateFiles(call: Call, names: readonly string[]): Promise<Validated> {
  const { session } = call;
  const { indexWith, isPulled, namesOf, candidates, unreadable } = await subjectsOf(session, names);
  const find = createFindDiagnostics(createModelWork(session.limits()), namesOf);
  const findAll = async (decisionIndex: DecisionIndex): Promise<LocatedDiagnostic[]> => {
    const found: LocatedDiagnostic[] = [];
    await session.during('checking', candidates.length, async (advance) => {
      for (const { path, ...candidate } of candidates) {
        const [one] = await find({ workspaceId: '' }, [candidate], decisionIndex);
        found.push(...(one?.diagnostics ?? []).map((diagnostic) => ({ ...diagnostic, place: path })));
        advance();
      }
    });
    return found;
  };
  let found = await findAll(indexWith());
  if (isPulled && found.some(({ diagnostic }) => diagnostic.code === 'decision_missing')) {
    const others = await keysOf(call);
    if (others.size > 0) found = await findAll(indexWith(others));
  }
  const diagnostics = [...unreadable, ...found];
  const faults = diagnostics.map(({ place, ...diagnostic }) => ({
    place,
    code: diagnostic.diagnostic.code,
    ...faultDocument(diagnostic),
  }));
  return {
    valid: !diagnostics.some((each) => isError(each) || isUnknown(each)),
    checked: candidates.length + unreadable.length,
    faults,
    diagnostics,
  };
}

/** Of the workspace; none where nobody is signed in, or it cannot be asked. */
async function keysOf(call: Call): Promise<ReadonlySet<string>> {
  try {
    return new Set((await call.service.all(operations.listDecisions)).map(({ key }) => key));
  } catch {
    return new Set();
  }
}

/** Runs the tests of models that stand in files. */
export async function testFiles(session: Session, names: readonly string[]): Promise<readonly LocatedReport[]> {
  const subjects = await subjectsOf(session, names, true);
  if (subjects.unreadable.length > 0)
    throw new Refusal(`some are no models.\n\n${drawDiagnostics(subjects.unreadable)}`);
  const work = createModelWork(session.limits());
  const decisionIndex = subjects.indexWith();
  return session.during('testing', subjects.candidates.length, async (advance) => {
    const reports: LocatedReport[] = [];
    for (const { path, key } of subjects.candidates) {
      reports.push({ place: path, ...(await testOne(work, { ...subjects, key, decisionIndex })) });
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
  { key, decisionIndex, textOf, namesOf }: Subjects & { readonly key: string; readonly decisionIndex: DecisionIndex },
): Promise<TestReport> {
  const entry = decisionIndex.byKey(key);
  if (entry === undefined) throw new Error(`no entry for ${key}`);
  const { decisions, manifest, programId } = await reachOf(entry, decisionIndex, namesOf);
  const contents = Object.fromEntries(decisions.map(({ contentHash }) => [contentHash, textOf(contentHash)]));
  const bundle = JSON.stringify({ manifest: JSON.parse(manifest) as Manifest, contents } satisfies Bundle);
  const report = await runTests(work, { programId, workspaceId: '', bundle }, onItsOwnMachine, unlimited);
  const coverage = JSON.parse(report.coverage) as TestReport['coverage'];
  return { ...report, coverage, tests: report.tests.map((text) => parseExactly(text) as TestResult) };
}

async function subjectsOf(session: Session, names: readonly string[], kit = false): Promise<Subjects> {
  const { candidates: given, diagnostics } = await readFiles(session, names, { kit });
  const { candidates, isPulled, indexOf } = neighbourhoodOf(session.directory, given);
  const texts = new Map<string, string>();
  const used = new Map<string, readonly string[]>();
  const note = ({ document: { hash, text, model } }: FileCandidate): void => {
    texts.set(hash, text);
    used.set(hash, subDecisionKeys(model));
  };
  candidates.forEach(note);
  return {
    ...{ candidates, isPulled },
    indexWith: (others) => indexOf(note, others),
    textOf: (hash) => texts.get(hash) ?? '',
    namesOf: () => Promise.resolve(used),
    unreadable: diagnostics.map(({ path, ...diagnostic }) => ({ ...diagnostic, place: path })),
  };
}
