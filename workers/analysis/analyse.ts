import type { ValueObject } from '../engine/index.js';
import { parseModel } from '../engine/jdm/model.js';
import { fieldsOf } from './fields.js';
import { findingsOf, pointIn, type TableFindings } from './findings.js';
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
import { suggestTests, type Suggestions } from './suggest.js';
import { ruleIdOf, tablesOf, type TableNode } from './tableNodes.js';
import { inputOf } from './witness.js';
import { TableWitnesses } from './witnesses.js';

export interface AnalysisRequest {
  readonly version: Version;
  /** The version that it is compared with, the older one. */
  readonly against?: Version | undefined;
  readonly properties?: readonly CheckedProperty[];
  /** `performance.now()` milliseconds: what is not decided by then is unknown. */
  readonly until: number;
}

/** How long facts are looked for, in runs and in milliseconds. */
const searchRuns = 5000;
const searchMs = 1000;

/** Shares of the time at which each part of the work ends. */
const ends = { tables: 0.4, search: 0.6, witnesses: 0.8, proofs: 0.9 };

/** Characters of all findings together. Those beyond are told without a witness, as unknown. */
const maxLength = 4 * 1024 * 1024;

/** Analyses a model. @throws EngineError for a document that is no model */
export async function analyse(request: AnalysisRequest): Promise<Analysis> {
  return (await examine(request)).analysis;
}

/** Tests that reach all that facts were found for. @throws EngineError for a document that is no model */
export async function suggest(request: AnalysisRequest): Promise<Suggestions> {
  const { analysis, explored } = await examine(request);
  return suggestTests(request.version.document, analysis, explored);
}

interface ExaminedTable {
  readonly node: TableNode;
  readonly found: TableFindings;
}

async function examine({
  version,
  against,
  properties = [],
  until,
}: AnalysisRequest): Promise<Exploration & { readonly analysis: Analysis }> {
  const began = performance.now();
  const endOf = (part: keyof typeof ends): number => began + ends[part] * (until - began);
  const { document, program } = version;
  const tables = tablesOf(document).map((node) => ({ node, found: findingsOf(node.table, endOf('tables')) }));
  const search = new PropertySearch(properties);
  const exploration: Exploration =
    program === null
      ? { explored: [], failures: [] }
      : await explore(document, program, {
          fields: fieldsOf(document, properties),
          seeds: tables.flatMap(({ found }) => rowInputs(found)),
          runs: searchRuns,
          until: Math.min(performance.now() + searchMs, endOf('search')),
          onResult: (fact, result) => search.look(fact, result),
        });
  const { explored } = exploration;
  const reported = await reportTables(tables, { version, exploration, until: endOf('witnesses') });
  const proofs: ReportedProperty[] = [];
  for (const property of properties)
    proofs.push(search.refutation(property) ?? (await prove(property, version, endOf('proofs'))));
  const analysis = {
    tables: reported,
    properties: proofs,
    change: against === undefined ? null : await modelChange(against, version, { explored, until }),
    reach: reachOf(document, tables, new Set(explored.flatMap(({ reached }) => reached))),
  };
  return { ...exploration, analysis };
}

/** An input for each row that some input reaches. */
function rowInputs({ boxes, regions }: TableFindings): ValueObject[] {
  return regions.flatMap((region) => {
    const input = region === null ? undefined : inputOf(boxes.dimensions, pointIn(boxes, region));
    return input === undefined ? [] : [input];
  });
}

interface Evidence {
  readonly version: Version;
  readonly exploration: Exploration;
  readonly until: number;
}

async function reportTables(
  tables: readonly ExaminedTable[],
  { version: { program }, exploration: { explored, failures }, until }: Evidence,
): Promise<TableReport[]> {
  const reports: TableReport[] = [];
  let left = maxLength;
  for (const { node, found } of tables) {
    const witnesses = new TableWitnesses({ node, found, program, explored, until });
    const findings: ReportedFinding[] = [];
    for (const finding of found.findings) {
      const reported = left > 0 ? await witnesses.report(finding) : witnesses.untold(finding);
      left -= JSON.stringify(reported).length;
      findings.push(reported);
    }
    for (const failure of failures) if (failure.nodeId === node.id) findings.push(failureOf(failure));
    reports.push({ nodeId: node.id, node: node.name, hitPolicy: node.table.collect ? 'collect' : 'first', findings });
  }
  return reports;
}

const failureOf = ({ fact, input, message }: Failure): ReportedFinding => ({
  kind: 'fails',
  rules: [],
  status: 'proved',
  witness: { fact, input, result: { error: message } },
  message: `The table ends in an error: ${message}`,
});

function reachOf(document: unknown, tables: readonly ExaminedTable[], reached: ReadonlySet<string>): Reach {
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
      const status = reached.has(statementElement(id, statement)) ? 'reachable' : 'unknown';
      elements.push({ nodeId: id, ruleId: statement, status });
    }
  }
  const count = (wanted: ReachStatus): number => elements.filter(({ status }) => status === wanted).length;
  return { reachable: count('reachable'), unreachable: count('unreachable'), unknown: count('unknown'), elements };
}
