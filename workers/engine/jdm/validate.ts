import { isRecord } from '../../json/index.js';
import { EngineError, type Diagnostic, type Location } from '../errors.js';
import { Footprint } from '../footprint.js';
import { defaultLimits, type Limits } from '../limits.js';
import { isCustomKind } from '../nodes/custom.js';
import type { Written } from '../nodes/nodeType.js';
import { compileSchema } from '../schema/compile.js';
import { checkExpression, type ExpressionOptions } from '../zen/index.js';
import { checkGraph } from './graph.js';
import { checkKinds } from './kinds.js';
import { checkNames } from './names.js';
import { checkNearNames } from './nearNames.js';
import { checkEdges, checkKeys, checkNodes, checkRows } from './oddities.js';
import { checkResultsRead } from './resultsRead.js';
import { locationOf, readModel, type Model, type ModelNode } from './model.js';
import { planOf } from './plan.js';
import { reachOf } from './reach.js';
import type { Report } from './reader.js';
import { spacedNamesOf } from './spacedNames.js';

export interface ValidateOptions {
  /** Whether there is a decision of that key or id. */
  readonly knows: (key: string) => boolean;
  readonly limits?: Limits;
  /** Milliseconds after which nothing further is checked; a diagnostic of severity `unknown` says so. */
  readonly timeLimitMs?: number;
}

/** A diagnostic of a node's content. */
interface Finding {
  readonly node: number;
  readonly diagnostic: Diagnostic;
  /** Of an expression; absent for a schema or the like. */
  readonly written?: Written;
}

/**
 * Every diagnostic of a model (parsed JSON) at once: its shape, its graph, its expressions, JSON Schemas and sub-decisions.
 * A model without errors runs. Faults that the reference engine tolerates are warnings: those in nodes that no run
 * reaches, and those that only keep a row or a statement from matching. Never throws for what the model holds.
 */
export function validate(
  document: unknown,
  { knows, limits = defaultLimits, timeLimitMs = Infinity }: ValidateOptions,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => diagnostics.push(diagnostic);
  const model = readModel(document, report);
  if (model.nodes.length === 0 && diagnostics.length > 0) return diagnostics;
  const findings: Finding[] = [];
  const end = performance.now() + timeLimitMs;
  const time = { isOver: false };
  const isLate = (): boolean => (time.isOver ||= performance.now() > end);
  const late = checkContents(model, { knows, limits, isLate }, (finding) => findings.push(finding));
  const plan = planOf(model);
  // Where a run would go is known only of a graph that can run.
  const isWhole = !diagnostics.some(({ severity }) => severity !== 'warning');
  const runs = checkGraph(model, plan, report) && isWhole;
  const reached = runs ? reachOf(plan, openEdges(model, findings)) : undefined;
  checkEdges(model, plan, report);
  checkNodes(model, reached, report);
  checkRows(model, brokenRows(findings), report);
  checkKeys(model, report);
  checkResultsRead(model, report, isLate);
  const named: Diagnostic[] = [];
  const told = late === undefined && checkNames(model, plan, (diagnostic) => named.push(diagnostic), isLate);
  if (told !== false) {
    checkKinds(model, told, (diagnostic) => named.push(diagnostic), isLate);
    const known = new Set(named.flatMap(({ pointer = '' }) => pointer));
    const tests = isRecord(document) ? document['tests'] : undefined;
    checkNearNames(model, { plan, tests, told: known }, (diagnostic) => named.push(diagnostic), isLate);
  }
  const replaced = new Map<string, Diagnostic>();
  const offerFor = spacedNamesOf(model);
  const offered = new Set<string>();
  for (const { node, diagnostic, written } of findings) {
    const offer = written === undefined || isLate() ? undefined : offerFor(node, diagnostic, written);
    if (offer !== undefined) offered.add(diagnostic.pointer ?? '');
    // What is told of a cell in the words of its column says more than where it does not parse.
    else if (told !== false && told.has(diagnostic.pointer ?? '') && !diagnostic.code.startsWith('limit_')) {
      replaced.set(diagnostic.pointer ?? '', diagnostic);
      continue;
    }
    const isTolerated =
      reached?.[node] === 0 || (written?.tolerated !== undefined && !diagnostic.code.startsWith('limit_'));
    report({ ...diagnostic, ...(isTolerated ? { severity: 'warning' } : {}), ...offer });
  }
  if (time.isOver) report(stoppedAt(late ?? {}, timeLimitMs));
  const others = named.filter(({ pointer = '' }) => !offered.has(pointer));
  return [...diagnostics, ...others.map((diagnostic) => likeReplaced(diagnostic, replaced))];
}

/** What is said in place of what was not checked any more. @param at where that begins */
export function stoppedAt(at: Location, timeLimitMs: number): Diagnostic {
  return {
    ...at,
    code: 'timeout',
    severity: 'unknown',
    message: `Checking the model takes longer than ${timeLimitMs / 1000} s; it was stopped, and what is wrong beyond is not known.`,
    hint: 'Check it again; where it is never done in time, make patterns and expressions simpler, or fewer.',
  };
}

/** A diagnostic with the code and the position of the one in whose place it is. */
function likeReplaced(diagnostic: Diagnostic, replaced: ReadonlyMap<string, Diagnostic>): Diagnostic {
  const before = replaced.get(diagnostic.pointer ?? '');
  if (before === undefined) return diagnostic;
  return { ...diagnostic, code: before.code, ...(before.span === undefined ? {} : { span: before.span }) };
}

/** The names that decision nodes give, by the nodes' ids; '' for one that gives none. */
export function subDecisionNames(document: unknown): Map<string, string> {
  const names = new Map<string, string>();
  for (const { id, parsed } of readModel(document, () => undefined).nodes) {
    if (parsed.decision !== undefined) names.set(id, parsed.decision);
  }
  return names;
}

/** By edge index: false for one that no choice of its switch opens. */
function openEdges({ nodes, edges }: Model, findings: readonly Finding[]): boolean[] {
  const broken = nodes.map((): string[] => []);
  for (const { node, written, diagnostic } of findings) {
    if (diagnostic.severity !== 'warning' && written?.statement !== undefined) broken[node]?.push(written.statement);
  }
  return edges.map(({ source, handle }) => {
    const statements = nodes[source]?.parsed.statements;
    if (statements === undefined) return true;
    const count = (list: readonly string[]): number => list.filter((id) => id === handle).length;
    // Statements may share an id.
    return count(statements) > count(broken[source] ?? []);
  });
}

const rowPointer = /^\/nodes\/\d+\/content\/rules\/\d+/;

/** The pointers of the rows that have a diagnostic. */
const brokenRows = (findings: readonly Finding[]): ReadonlySet<string> =>
  new Set(
    findings.flatMap(({ diagnostic: { severity, pointer } }) =>
      severity === 'warning' ? [] : (rowPointer.exec(pointer ?? '') ?? []),
    ),
  );

/** Finds the diagnostics of all nodes' contents. Gives the place where the time was over before all were checked. */
function checkContents(
  { nodes }: Model,
  { knows, limits, isLate }: Required<Pick<ValidateOptions, 'knows' | 'limits'>> & Pick<Checks, 'isLate'>,
  find: (finding: Finding) => void,
): Location | undefined {
  const footprint = new Footprint();
  for (const [index, node] of nodes.entries()) {
    const location = locationOf(node);
    const within = <Part extends Location>(part: Part): Location & Part => ({
      ...location,
      ...part,
      pointer: (location.pointer ?? '') + (part.pointer ?? ''),
    });
    const due = checkExpressions(node, { limits, footprint, isLate }, (diagnostic, written) =>
      find({ node: index, diagnostic: within(diagnostic), written }),
    );
    if (due !== undefined || (node.parsed.schema !== undefined && isLate())) {
      return within(due === undefined ? {} : { ...locationIn(due), source: due.source });
    }
    checkContent(node, { knows, footprint }, (diagnostic) => find({ node: index, diagnostic: within(diagnostic) }));
  }
  return undefined;
}

interface Checks {
  readonly limits: Limits;
  readonly footprint: Footprint;
  /** The time for this model is over. */
  readonly isLate: () => boolean;
}

const locationIn = ({ field, label, pointer }: Written): Location => ({ field, label, pointer });

/** Each source once per node: a table repeats itself. Gives the one that was due when the time was over. */
function checkExpressions(
  { parsed }: ModelNode,
  { isLate, ...options }: Checks,
  report: (diagnostic: Diagnostic, written: Written) => void,
): Written | undefined {
  const checked = new Map<string, readonly Diagnostic[]>();
  for (const written of parsed.expressions()) {
    const { source, kind, tolerated } = written;
    const key = `${kind}:${source}`;
    let diagnostics = checked.get(key);
    if (diagnostics === undefined) {
      if (isLate()) return written;
      diagnostics = diagnosticsOf(source, kind, options);
      checked.set(key, diagnostics);
    }
    const hint = tolerated === undefined ? {} : { hint: tolerated };
    for (const diagnostic of diagnostics) report({ source, ...hint, ...diagnostic, ...locationIn(written) }, written);
  }
  return undefined;
}

/**
 * A condition that is only a unary test is left in many models by an author who cleared its column's field. It can't
 * match anything, here as in the reference implementation.
 */
function diagnosticsOf(source: string, kind: Written['kind'], options: ExpressionOptions): readonly Diagnostic[] {
  if (kind !== 'condition') return checkExpression(source, kind, options);
  const diagnostics = checkExpression(source, 'standard', options);
  if (diagnostics.length === 0 || checkExpression(source, 'unary', options).length > 0) return diagnostics;
  const message = 'This is a test, and its column has no field that it could test.';
  return [
    { code: 'type_error', message, hint: 'The rule never matches: give the column a field, or write a condition.' },
  ];
}

interface Surroundings {
  readonly knows: (key: string) => boolean;
  readonly footprint: Footprint;
}

function checkContent({ parsed }: ModelNode, { knows, footprint }: Surroundings, report: Report): void {
  const { decision, schema, custom } = parsed;
  if (decision !== undefined && (decision === '' || !knows(decision))) {
    const message = decision === '' ? 'The node names no decision.' : `There is no decision "${decision}".`;
    report({ code: 'decision_missing', message, field: 'content.key', pointer: '/content/key' });
  }
  if (custom !== undefined && !isCustomKind(custom)) {
    const message = `There is no custom node kind "${custom}" here.`;
    report({ code: 'unknown_node_kind', message, field: 'content.kind', pointer: '/content/kind' });
  }
  if (schema === undefined) return;
  try {
    compileSchema(schema, footprint);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    report({ ...error.toDiagnostic(), pointer: '/content/schema' });
  }
}
