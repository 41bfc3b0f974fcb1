import type { Fault, Model, ModelNode } from '../api/types.js';
import { allOf, isObject, membersOf, textOf } from '../graph/fields.js';
import { kindName } from '../graph/kinds.js';
import { namesWritten } from './words.js';

/** What other decisions take and give, by the names that nodes have for them. */
export type Called = ReadonlyMap<string, { readonly input: unknown; readonly output: unknown }>;

const propertiesOf = (schema: unknown): Readonly<Record<string, unknown>> => membersOf(membersOf(schema)['properties']);

/** What the decision that a node runs takes of what comes into the node; null where that is not known, or only a part comes in. */
export function wantedBy({ type, content }: ModelNode, called: Called): Readonly<Record<string, unknown>> | null {
  const { key, inputField, executionMode } = membersOf(content);
  if (type !== 'decisionNode' || textOf(inputField).trim() !== '' || executionMode === 'loop') return null;
  // One that is yet to be chosen takes nothing.
  if (textOf(key).trim() === '') return {};
  const found = called.get(textOf(key));
  return found === undefined ? null : propertiesOf(found.input);
}

/** The names that a node writes, those of the decision that it runs among them. */
export function givenBy({ content }: ModelNode, called: Called): readonly string[] {
  const { key, outputPath } = membersOf(content);
  const path = textOf(outputPath).trim();
  const names = path === '' ? [...namesWritten(content), ...givenByKey(textOf(key), called)] : [path];
  return names.map((name) => name.split('.')[0] ?? name);
}

const givenByKey = (key: string, called: Called): readonly string[] =>
  Object.keys(propertiesOf(called.get(key)?.output));

/** A table or a list of expressions that keeps back what a decision behind it takes. */
export function keptBack(model: Model, called: Called): readonly Fault[] {
  return model.nodes.flatMap((node) => {
    const wanted = Object.keys(wantedBy(node, called) ?? {});
    if (wanted.length === 0) return [];
    return keepersBefore(model, node.id).flatMap(({ keeper, between }) => {
      const given = new Set([keeper, ...between].flatMap((each) => givenBy(each, called)));
      const missing = wanted.filter((name) => !given.has(name));
      return missing.length === 0 ? [] : [faultOf(keeper, node, missing)];
    });
  });
}

interface Keeper {
  readonly keeper: ModelNode;
  /** The nodes that hand on what it gives. */
  readonly between: readonly ModelNode[];
}

/** The nodes before one, along each way, that give nothing but what they write themselves. */
function keepersBefore({ nodes, edges }: Model, id: string): readonly Keeper[] {
  const seen = new Set([id]);
  const walk = (targetId: string, between: readonly ModelNode[]): readonly Keeper[] =>
    edges.flatMap((edge): readonly Keeper[] => {
      const source = nodes.find((each) => each.id === edge.sourceId);
      if (edge.targetId !== targetId || source === undefined || seen.has(source.id)) return [];
      seen.add(source.id);
      const isKnown = ['decisionTableNode', 'expressionNode'].includes(source.type);
      if (isKnown && !isPassing(source)) return [{ keeper: source, between }];
      return source.type === 'switchNode' || isPassing(source) ? walk(source.id, [...between, source]) : [];
    });
  return walk(id, []);
}

const isPassing = ({ content }: ModelNode): boolean => isObject(content) && content['passThrough'] === true;

function faultOf({ id, name, type }: ModelNode, to: ModelNode, missing: readonly string[]): Fault {
  const fields = allOf(missing.map((each) => `“${each}”`));
  return {
    ...{ severity: 'warning', key: '', nodeId: id, node: name, line: null, column: null, pointer: null },
    ...{ field: null, excerpt: null },
    message: `${to.name} needs ${fields}, which this ${kindName(type).toLowerCase()} does not pass on.`,
    hint: 'Under Settings, tick “Pass on what comes in”.',
  };
}
