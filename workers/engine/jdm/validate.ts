import { EngineError, type Fault } from '../errors.js';
import { Footprint } from '../footprint.js';
import { defaultLimits, type Limits } from '../limits.js';
import { isCustomKind } from '../nodes/custom.js';
import type { Written } from '../nodes/nodeType.js';
import { compileSchema } from '../schema/compile.js';
import { checkExpression, type ExpressionOptions } from '../zen/index.js';
import { checkGraph } from './graph.js';
import { readModel, type Model, type ModelNode } from './model.js';
import { planOf } from './plan.js';
import type { Report } from './reader.js';

export interface ValidateOptions {
  /** Whether there is a decision of that key or id. */
  readonly knows: (key: string) => boolean;
  readonly limits?: Limits;
}

/**
 * Every fault of a model (parsed JSON) at once: its shape, its graph, its expressions, JSON Schemas and sub-decisions.
 * Never throws for what the model holds.
 */
export function validate(document: unknown, { knows, limits = defaultLimits }: ValidateOptions): Fault[] {
  const faults: Fault[] = [];
  const report: Report = (fault) => faults.push(fault);
  const model = readModel(document, report);
  if (model.nodes.length === 0 && faults.length > 0) return faults;
  checkGraph(model, planOf(model), report);
  checkHandles(model, report);
  const compiling = { limits, footprint: new Footprint() };
  for (const node of model.nodes) {
    const here: Report = (fault) => report({ nodeId: node.id, nodeName: node.name, ...fault });
    checkExpressions(node, compiling, here);
    checkContent(node, { knows, footprint: compiling.footprint }, here);
  }
  return faults;
}

/** The keys that a model's decision nodes name, each once; whatever else is wrong with the model. */
export function subDecisionKeys(document: unknown): string[] {
  const model = readModel(document, () => undefined);
  return [...new Set(model.nodes.flatMap(({ parsed }) => (parsed.decision === undefined ? [] : [parsed.decision])))];
}

/** An edge out of a switch belongs to one of its statements. */
function checkHandles({ nodes, edges }: Model, report: Report): void {
  for (const { source, handle } of edges) {
    const node = nodes[source];
    const statements = node?.parsed.statements;
    if (node === undefined || statements === undefined || (handle !== undefined && statements.includes(handle)))
      continue;
    const which =
      handle === undefined ? 'belongs to none of its statements' : `names a statement that is not there: "${handle}"`;
    const message = `An edge out of the switch ${which}; it never opens.`;
    report({
      code: 'model_invalid',
      message,
      nodeId: node.id,
      nodeName: node.name,
      hint: 'Set `sourceHandle` to the id of a statement.',
    });
  }
}

/** Each source once per node: a table repeats itself. */
function checkExpressions({ parsed }: ModelNode, options: ExpressionOptions, report: Report): void {
  const checked = new Map<string, readonly Fault[]>();
  for (const { source, kind, field, label } of parsed.expressions()) {
    const key = `${kind}:${source}`;
    const faults = checked.get(key) ?? faultsOf(source, kind, options);
    checked.set(key, faults);
    for (const fault of faults) report({ source, ...fault, field, label });
  }
}

/**
 * A condition that is only a unary test is left in many models by an author who cleared its column's field. It can't
 * match anything, here as in the reference implementation, so it is no fault that keeps the model out.
 */
function faultsOf(source: string, kind: Written['kind'], options: ExpressionOptions): readonly Fault[] {
  if (kind !== 'condition') return checkExpression(source, kind, options);
  const faults = checkExpression(source, 'standard', options);
  return faults.length > 0 && checkExpression(source, 'unary', options).length === 0 ? [] : faults;
}

interface Surroundings {
  readonly knows: (key: string) => boolean;
  readonly footprint: Footprint;
}

function checkContent({ parsed }: ModelNode, { knows, footprint }: Surroundings, report: Report): void {
  const { decision, schema, custom } = parsed;
  if (decision !== undefined && decision !== '' && !knows(decision)) {
    report({ code: 'decision_missing', message: `There is no decision "${decision}".`, field: 'content.key' });
  }
  if (custom !== undefined && !isCustomKind(custom)) {
    report({
      code: 'unknown_node_kind',
      message: `There is no custom node kind "${custom}" here.`,
      field: 'content.kind',
    });
  }
  if (schema === undefined) return;
  try {
    compileSchema(schema, footprint);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    report(error.toFault());
  }
}
