import { dmnOf, type ValueObject } from '../engine/index.js';
import { deadlineAt, type Deadline } from './deadline.js';
import type { Field } from './fields.js';
import { pointIn } from './shownRegion.js';
import { dmnModel } from './dmn/model.js';
import { jdmModel } from './jdmModel.js';
import type { AnalysedModel, AnalysedTable, ExaminedModel, Version } from './model.js';
import { VersionChange } from './modelChange.js';
import { PropertySearch, type CheckedProperty } from './properties.js';
import type {
  Analysis,
  Reach,
  ReachElement,
  ReachStatus,
  ReportedFinding,
  ReportedProperty,
  TableReport,
} from './report.js';
import { explore, rowElement, statementElement, testedFacts, type Exploration, type Failure } from './search.js';
import { suggestTests, type Suggestions } from './suggest.js';
import { factOf } from './witness.js';
import { TableWitnesses } from './witnesses.js';
import { refutedWithMoments } from './withMoments.js';

interface AnalysisRequest {
  readonly version: Version;
  /** The version that it is compared with, the older one. */
  readonly against?: Version | undefined;
  readonly properties?: readonly CheckedProperty[];
  /** Whether facts are looked for that reach more than the findings show; true unless told. */
  readonly isSearched?: boolean;
  /** `performance.now()` milliseconds: what is not decided by then is unknown. */
  readonly until: number;
  /** True once nobody waits for it any more: it ends then. */
  readonly isStopped?: () => boolean;
}

/** How long facts are looked for, in runs and in milliseconds. */
const searchRuns = 5000;
const searchMs = 1000;

/** Shares of the time at which each part of the work ends. */
const ends = { tables: 0.4, search: 0.6, witnesses: 0.8, proofs: 0.9 };

/** Characters of all findings together. Those beyond are told without a witness, as unknown. */
const maxLength = 4 * 1024 * 1024;

/** Analyses a model. @throws EngineError for a document that is no model */
export async function analyse(request: AnalysisRequest): Promise<Checked<Analysis>> {
  const { analysis, unconfirmed } = await examine(request);
  return { report: analysis, unconfirmed };
}

/** Tests that reach all that facts were found for. @throws EngineError for a document that is no model */
export async function suggest(request: AnalysisRequest): Promise<Checked<Suggestions>> {
  const { analysis, explored, pool, examined, unconfirmed } = await examine(request);
  const until = deadlineAt(request.until, request.isStopped);
  const report = await suggestTests(examined, analysis, {
    explored,
    sharpen: async (tests, most) => examined.sharpen(tests, { pool, most, until }),
  });
  return { report, unconfirmed };
}

/** What is told, and how often the engine did not show what the method had proved: never, unless the method is wrong. */
interface Checked<Report> {
  readonly report: Report;
  readonly unconfirmed: number;
}

async function examine({
  version,
  against,
  properties = [],
  isSearched = true,
  until: end,
  isStopped,
}: AnalysisRequest): Promise<
  Exploration & { readonly examined: ExaminedModel; readonly analysis: Analysis; readonly unconfirmed: number }
> {
  const began = performance.now();
  const endOf = (part: keyof typeof ends, atMost = Infinity): Deadline =>
    deadlineAt(Math.min(atMost, end === Infinity ? end : began + ends[part] * (end - began)), isStopped);
  const until = deadlineAt(end, isStopped);
  const model = modelOf(version);
  const { document, program } = model;
  const examined = model.examine(endOf('tables'));
  const { tables } = examined;
  const older = against && modelOf(against);
  older?.examine(endOf('tables'));
  const compared = older && new VersionChange(older, model, endOf('search'));
  const search = new PropertySearch(properties);
  const fields = model.fields(properties);
  const exploration: Exploration =
    program === null || !isSearched
      ? { explored: [], pool: [], failures: [] }
      : await explore(program, {
          fields: withValuesOf(fields, older?.fields(properties) ?? []),
          tests: testedFacts(document).map(model.factFrom),
          seeds: tables.flatMap((table) => rowInputs(table).map(table.inputWith)).map(model.factFrom),
          runs: searchRuns,
          until: endOf('search', performance.now() + searchMs),
          onResult(fact, { result, trace }) {
            search.look(fact, result);
            compared?.look(fact, trace);
          },
        });
  const { explored } = exploration;
  const reached = new Set(explored.flatMap((each) => each.reached));
  const { reports, unconfirmed } = await reportTables(tables, {
    ...{ model, fields, exploration, reached },
    until: endOf('witnesses'),
  });
  const proofs: ReportedProperty[] = [];
  for (const property of properties) {
    const until = endOf('proofs');
    const found = search.refutation(property) ?? (await model.prove(property, until));
    proofs.push(await refutedWithMoments(found, property, { program, fields, until }));
  }
  const change = await compared?.report({ explored, fields, until });
  const reach = reachOf(examined, { reached, reports });
  return {
    ...exploration,
    examined,
    analysis: { tables: reports, properties: proofs, change: change?.change ?? null, reach },
    unconfirmed: unconfirmed + wronglyDead(examined, reached) + (change?.unconfirmed ?? 0),
  };
}

/** @throws EngineError for a document that is no model */
function modelOf(version: Version): AnalysedModel {
  const xml = dmnOf(version.document);
  return xml === undefined ? jdmModel(version) : dmnModel(version, xml);
}

/** Fields with the values that make a difference to the older version as well. */
function withValuesOf(fields: readonly Field[], older: readonly Field[]): Field[] {
  const others = new Map(older.map(({ path, values }) => [JSON.stringify(path), values]));
  return fields.map((field) => ({
    ...field,
    values: [...new Set([...field.values, ...(others.get(JSON.stringify(field.path)) ?? []).filter(field.isOfType)])],
  }));
}

/** An input for each row that some input reaches. */
function rowInputs({ found: { boxes, regions } }: AnalysedTable): ValueObject[] {
  return regions.flatMap((region) => {
    const input = region === null ? undefined : factOf(boxes.dimensions, pointIn(boxes, region));
    return input === undefined ? [] : [input];
  });
}

/** How many rows and statements a run came to that no run should. */
function wronglyDead({ tables, statements }: ExaminedModel, reached: ReadonlySet<string>): number {
  const rows = tables.flatMap(({ nodeId, found }) => [...found.unreachable].map((row) => rowElement(nodeId, row)));
  const closed = statements.filter(({ isClosed }) => isClosed).map(({ nodeId, id }) => statementElement(nodeId, id));
  return [...rows, ...closed].filter((element) => reached.has(element)).length;
}

interface Evidence {
  readonly model: AnalysedModel;
  readonly fields: readonly Field[];
  readonly exploration: Exploration;
  /** Of all runs. */
  readonly reached: ReadonlySet<string>;
  readonly until: Deadline;
}

async function reportTables(
  tables: readonly AnalysedTable[],
  { model: { program }, fields, exploration: { explored, failures }, reached, until }: Evidence,
): Promise<{ readonly reports: TableReport[]; readonly unconfirmed: number }> {
  const reports: TableReport[] = [];
  let left = maxLength;
  let unconfirmed = 0;
  for (const table of tables) {
    const { nodeId, name, hitPolicy } = table;
    const witnesses = new TableWitnesses({ table, program, fields, explored, reached, until });
    const findings: ReportedFinding[] = [];
    for (const finding of table.found.findings) {
      const reported = left > 0 ? await witnesses.report(finding) : witnesses.untold(finding);
      left -= JSON.stringify(reported).length;
      findings.push(reported);
    }
    unconfirmed += witnesses.unconfirmed;
    for (const failure of failures) if (failure.nodeId === nodeId) findings.push(failureOf(failure));
    reports.push({ nodeId, node: name, hitPolicy, findings });
  }
  const ofTables = new Set(tables.map(({ nodeId }) => nodeId));
  for (const failure of failures) {
    const { nodeId, node } = failure;
    if (!ofTables.has(nodeId)) reports.push({ nodeId, node, hitPolicy: null, findings: [failureOf(failure)] });
  }
  return { reports, unconfirmed };
}

const failureOf = ({ fact, input, message }: Failure): ReportedFinding => ({
  kind: 'fails',
  rules: [],
  status: 'proved',
  witness: { fact, input, result: { error: message } },
  message: `It ends in an error: ${message}`,
});

/** The rules of which it could not be decided that nothing reaches them. */
const undecidedRows = ({ kind, status, rules }: ReportedFinding): readonly string[] =>
  status === 'unknown' && (kind === 'shadowed' || kind === 'conflict') ? rules : [];

interface ReachSources {
  readonly reached: ReadonlySet<string>;
  /** Of the tables, in their order: a row of which a finding says that it is not decided is unknown here too. */
  readonly reports: readonly TableReport[];
}

function reachOf({ tables, statements }: ExaminedModel, { reached, reports }: ReachSources): Reach {
  const elements: ReachElement[] = [];
  for (const [at, { nodeId, ruleIds, isTraced, found }] of tables.entries()) {
    const open = new Set(reports[at]?.findings.flatMap(undecidedRows));
    // What no trace shows is not counted as unknown.
    for (const [index, ruleId] of isTraced ? ruleIds.entries() : []) {
      const isReached = reached.has(rowElement(nodeId, index));
      const isDead = found.unreachable.has(index) && !open.has(ruleId);
      const status = isReached ? 'reachable' : isDead ? 'unreachable' : 'unknown';
      elements.push({ nodeId, ruleId, status });
    }
  }
  for (const { nodeId, id, isClosed } of statements) {
    const isReached = reached.has(statementElement(nodeId, id));
    const status = isReached ? 'reachable' : isClosed ? 'unreachable' : 'unknown';
    elements.push({ nodeId, ruleId: id, status });
  }
  const count = (wanted: ReachStatus): number => elements.filter(({ status }) => status === wanted).length;
  return { reachable: count('reachable'), unreachable: count('unreachable'), unknown: count('unknown'), elements };
}
