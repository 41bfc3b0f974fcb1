import { childOf, childrenOf } from './element.js';
import { anyType, normalName, propertyOf, type Advice, type FeelType, type Scope, type Site } from '../feel/index.js';
import type { Definitions } from './definitions.js';
import { shownType, type Node } from './graph.js';
import type { CompiledModel, Compiler } from './requirements.js';

/** Whether a document was made for Camunda, whose engines know names that no standard does. */
export const isCamundas = ({ root }: Definitions): boolean =>
  Object.values(root.attributes).some((value) => value !== undefined && marks.test(value));

/** Namespaces of Camunda, and the modeler that it is built on. */
const marks = /\bcamunda\.org\/|\bbpmn\.io\b|^Camunda /;

/**
 * What Camunda's engines do with a name that nothing declares: it is a required decision by its id or by the name of an
 * output, else a variable of whoever asks, which is an input here.
 */
export const camundaNames =
  (node: Node, model: CompiledModel, scope: Scope, compiler: Compiler) =>
  (name: string, type: FeelType, site: Site, advice?: Advice): boolean =>
    isOfRequired(name, node, scope, compiler) || isVariable(name, { node, model, type, site, advice }, scope, compiler);

function isOfRequired(name: string, node: Node, scope: Scope, compiler: Compiler): boolean {
  for (const required of node.requires) {
    const { kind, id, element } = required.part;
    if (kind !== 'decision') continue;
    const table = childOf(element, 'decisionTable');
    const outputs = table === undefined ? [] : childrenOf(table, 'output');
    const isOutput = outputs.some(({ attributes }) => attributes['name'] === name);
    if (id !== name && !isOutput) continue;
    if (id === name || outputs.length === 1) {
      scope.place(name, required.slot, shownType(required));
      return true;
    }
    const slot = compiler.nextSlot();
    scope.place(name, slot, anyType);
    node.derived = [
      ...node.derived,
      { slot, value: (valueOf, run) => propertyOf(valueOf(required), name, run) ?? null },
    ];
    return true;
  }
  return false;
}

interface Asked {
  readonly node: Node;
  readonly model: CompiledModel;
  readonly type: FeelType;
  readonly site: Site;
  /** What its cell is meant as otherwise. */
  readonly advice: Advice | undefined;
}

/** Input data of that name, though it is not required, or an input that the name itself makes. */
function isVariable(
  name: string,
  { node, model, type, site, advice }: Asked,
  scope: Scope,
  compiler: Compiler,
): boolean {
  const declared = [...model.nodes.values()].find(
    ({ part }) => part.kind === 'input' && normalName(part.variable) === name,
  );
  const input = declared ?? undeclaredInput(name, node, { slot: compiler.nextSlot(), type, site });
  if (declared === undefined || declared.isUndeclared === true) {
    const tell = (at: Site, meant: Advice | undefined): void =>
      compiler.report({ code: 'unknown_name', message: messageOf(name), site: at, ...adviceOf(meant) });
    if (declared === undefined || advice !== undefined) tell(site, advice);
    scope.doubts.set(name, tell);
    model.nodes.set(input.part.id, input);
  }
  node.requires = [...node.requires, input];
  scope.place(name, input.slot, input.type);
  return true;
}

const messageOf = (name: string): string =>
  `No input data declares "${name}": it is read from the fact, as Camunda does.`;

/** What to do about such a name: most that stand alone in a cell are texts without quotes, or are written as in spreadsheets. */
const adviceOf = (meant: Advice | undefined): Advice =>
  meant === undefined
    ? { hint: 'Add it as input data that the decision requires, with its type.' }
    : { ...meant, hint: `${meant.hint} Else add it as input data that the decision requires, with its type.` };

function undeclaredInput(name: string, { part: { element } }: Node, given: Pick<Node, 'slot' | 'type' | 'site'>): Node {
  const part = { id: `undeclared ${name}`, name, variable: name, typeRef: undefined, element, requires: [] };
  const empty = { requires: [], derived: [], code: () => null };
  return { ...given, ...empty, part: { ...part, kind: 'input' }, isUndeclared: true };
}
