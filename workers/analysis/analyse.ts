import type { ValueObject } from '../engine/index.js';
import { parseModel } from '../engine/jdm/model.js';
import { deadlineAt, type Deadline } from './deadline.js';
import { examineGraph, statementKey, type Examined } from './carry.js';
import { fieldsOf } from './fields.js';
import { pointIn, type TableFindings } from './findings.js';
import { modelChange, type Version } from './modelChange.js';
import { prove } from './proofs.js';
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
import { explore, rowElement, statementElement, type Exploration, type Failure } from './search.js';
import { sharpened } from './sharpen.js';
import { suggestTests, type Suggestions } from './suggest.js';
import { ruleIdOf } from './tableNodes.js';
import { factOf } from './witness.js';
import { TableWitnesses } from './witnesses.js';

export interface AnalysisRequest {
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
  const { analysis, explored, pool, tables, unconfirmed } = await examine(request);
  const { document, program } = request.version;
  const until = deadlineAt(request.until, request.isStopped);
  const report = await suggestTests(document, analysis, {
    explored,
    sharpen: async (tests, most) =>
      program === null ? tests : sharpened(tests, { document, program, tables, pool, most, until }),
  });
  return { report, unconfirmed };
}

/** What is told, and how often the engine did not show what the method had proved: never, unless the method is wrong. */
export interface Checked<Report> {
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
  Exploration & Pick<Examined, 'tables'> & { readonly analysis: Analysis; readonly unconfirmed: number }
> {
  const began = performance.now();
  const endOf = (part: keyof typeof ends, atMost = Infinity): Deadline =>
    deadlineAt(Math.min(atMost, end === Infinity ? end : began + ends[part] * (end - began)), isStopped);
  const until = deadlineAt(end, isStopped);
  const { document, program } = version;
  const examined = examineGraph(document, endOf('tables'));
  const { tables } = examined;
  const search = new PropertySearch(properties);
  const exploration: Exploration =
    program === null || !isSearched
      ? { explored: [], pool: [], failures: [] }
      : await explore(document, program, {
          fields: fieldsOf(document, properties),
          seeds: tables.flatMap(({ found }) => rowInputs(found)),
          runs: searchRuns,
          until: endOf('search', performance.now() + searchMs),
          onResult: (fact, result) => search.look(fact, result),
        });
  const { explored } = exploration;
  const reached = new Set(explored.flatMap((each) => each.reached));
  const { reports, unconfirmed } = await reportTables(tables, {
    ...{ version, exploration, reached },
    until: endOf('witnesses'),
  });
  const proofs: ReportedProperty[] = [];
  for (const property of properties)
    proofs.push(search.refutation(property) ?? (await prove(property, version, endOf('proofs'))));
  const change = against === undefined ? null : await modelChange(against, version, { explored, until });
  const reach = reachOf(document, examined, reached);
  return {
    ...exploration,
    tables,
    analysis: { tables: reports, properties: proofs, change: change?.change ?? null, reach },
    unconfirmed: unconfirmed + wronglyDead(examined, reached) + (change?.unconfirmed ?? 0),
  };
}

/** An input for each row that some input reaches. */
function rowInputs({ boxes, regions }: TableFindings): ValueObject[] {
  return regions.flatMap((region) => {
    const input = region === null ? undefined : factOf(boxes.dimensions, pointIn(boxes, region));
    return input === undefined ? [] : [input];
  });
}

/** How many rows and statements a run came to that no run should. */
function wronglyDead({ tables, closed }: Examined, reached: ReadonlySet<string>): number {
  const rows = tables.flatMap(({ node, found }) => [...found.unreachable].map((row) => rowElement(node.id, row)));
  const statements = [...closed].map((key) => statementElement(...(JSON.parse(key) as [string, string])));
  return [...rows, ...statements].filter((element) => reached.has(element)).length;
}

interface Evidence {
  readonly version: Version;
  readonly exploration: Exploration;
  /** Of all runs. */
  readonly reached: ReadonlySet<string>;
  readonly until: Deadline;
}

async function reportTables(
  tables: Examined['tables'],
  { version: { program }, exploration: { explored, failures }, reached, until }: Evidence,
): Promise<{ readonly reports: TableReport[]; readonly unconfirmed: number }> {
  const reports: TableReport[] = [];
  let left = maxLength;
  let unconfirmed = 0;
  for (const { node, found } of tables) {
    const witnesses = new TableWitnesses({ node, found, program, explored, reached, until });
    const findings: ReportedFinding[] = [];
    for (const finding of found.findings) {
      const reported = left > 0 ? await witnesses.report(finding) : witnesses.untold(finding);
      left -= JSON.stringify(reported).length;
      findings.push(reported);
    }
    unconfirmed += witnesses.unconfirmed;
    for (const failure of failures) if (failure.nodeId === node.id) findings.push(failureOf(failure));
    reports.push({ nodeId: node.id, node: node.name, hitPolicy: node.table.collect ? 'collect' : 'first', findings });
  }
  const ofTables = new Set(tables.map(({ node }) => node.id));
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

function reachOf(document: unknown, { tables, closed }: Examined, reached: ReadonlySet<string>): Reach {
  const elements: ReachElement[] = [];
  for (const { node, found } of tables) {
    for (const index of node.table.rules.keys()) {
      const isReached = reached.has(rowElement(node.id, index));
      const status = isReached ? 'reachable' : found.unreachable.has(index) ? 'unreachable' : 'unknown';
      elements.push({ nodeId: node.id, ruleId: ruleIdOf(node.table, index), status });
    }
  }
  for (const { id, parsed } of parseModel(document).nodes) {
    for (const { statement } of parsed.expressions()) {
      if (statement === undefined) continue;
      const isReached = reached.has(statementElement(id, statement));
      const isClosed = closed.has(statementKey(id, statement));
      const status = isReached ? 'reachable' : isClosed ? 'unreachable' : 'unknown';
      elements.push({ nodeId: id, ruleId: statement, status });
    }
  }
  const count = (wanted: ReachStatus): number => elements.filter(({ status }) => status === wanted).length;
  return { reachable: count('reachable'), unreachable: count('unreachable'), unknown: count('unknown'), elements };
}
