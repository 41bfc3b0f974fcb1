import {
  childOf,
  childrenOf,
  readDefinitions,
  textWithin,
  type Definitions,
  type Element,
  type Part,
} from '../../../workers/engine/dmn/document.js';
import type { Model, ModelEdge, ModelNode, ModelTest } from '../api/types.js';
import { cellsOf, hitPolicyOf, partLogic, ruleId, tableColumns } from './tables.js';
import { boxOf, expressionIn } from './boxes.js';

const kinds: Readonly<Record<Part['kind'], string>> = {
  input: 'dmnInput',
  decision: 'dmnDecision',
  knowledge: 'dmnKnowledge',
  service: 'dmnService',
};

/**
 * A document of DMN as the pages show models: its requirements are the graph, its tables have the form of JDM's. The
 * document goes along, so that what is written is the text that its modeler wrote.
 */
export function modelOf(
  xml: string,
  tests: readonly ModelTest[] | undefined,
  positionsIn: (xml: string) => Positions,
): Model {
  const definitions = readDefinitions(xml);
  // A document that is refused goes no further.
  const positions = positionsIn(xml);
  const { parts } = definitions;
  return {
    document: xml,
    nodes: parts.map((part) => nodeOf(part, definitions, positions.get(part.id) ?? null)),
    edges: parts.flatMap(edgesOf),
    ...(tests === undefined ? {} : { tests }),
  };
}

function nodeOf(part: Part, definitions: Definitions, position: ModelNode['position']): ModelNode {
  const { id, name } = part;
  const logic = partLogic(part.element);
  const expression = expressionIn(logic);
  const about = aboutOf(part, definitions);
  const shown = { id, name, position: position ?? null };
  if (expression?.name === 'decisionTable') {
    return { ...shown, type: 'decisionTableNode', content: { ...tableOf(expression, part, definitions), about } };
  }
  const box = expression === undefined ? undefined : boxOf(expression);
  return { ...shown, type: kinds[part.kind], content: box === undefined ? { about } : { about, box } };
}

/** What is said of an element beside its logic, by name. */
function aboutOf({ element, typeRef, kind }: Part, { items }: Definitions): readonly (readonly [string, string])[] {
  const item = items.find(({ attributes }) => attributes['name'] === typeRef);
  const allowed = item && textWithin(item, 'allowedValues');
  const named = (names: readonly string[]): string =>
    names
      .flatMap((name) => childrenOf(element, name))
      .map(({ attributes: { href = '' } }) => href.slice(href.indexOf('#') + 1))
      .join(', ');
  const parameters = childrenOf(partLogic(element) ?? element, 'formalParameter').map(
    (each) => each.attributes['name'],
  );
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['Type', typeRef],
    ['Allowed values', allowed?.trim()],
    ['Parameters', kind === 'knowledge' ? parameters.join(', ') : ''],
    ['Gives', kind === 'service' ? named(['outputDecision']) : ''],
    ['Takes', kind === 'service' ? named(['inputData', 'inputDecision']) : ''],
    ['Question', childOf(element, 'question')?.text.trim()],
    ['Answers', childOf(element, 'allowedAnswers')?.text.trim()],
    ['Description', childOf(element, 'description')?.text.trim()],
  ];
  return entries.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const]));
}

/** A decision table in JDM's form: columns with ids, rows that keep their cells under these. */
function tableOf(table: Element, part: Part, definitions: Definitions): Readonly<Record<string, unknown>> {
  const logic = childOf(part.element, 'encapsulatedLogic');
  const required = definitions.parts.filter(({ id, kind }) =>
    part.requires.some((each) => kind !== 'knowledge' && each.id === id),
  );
  const parameters = logic === undefined ? [] : childrenOf(logic, 'formalParameter');
  return {
    language: 'feel',
    hitPolicy: hitPolicyOf(table),
    // What its inputs may name: columns of it are another's work where that is not enough.
    given: [
      ...required.map(({ variable }) => variable),
      ...parameters.flatMap(({ attributes: { name } }) => name ?? []),
    ],
    ...tableColumns(table, part.typeRef, definitions),
    rules: childrenOf(table, 'rule').map((rule) => ({ _id: ruleId(rule), ...cellsOf(rule) })),
  };
}

function edgesOf({ id, requires, element, kind }: Part): ModelEdge[] {
  const edge = (sourceId: string): ModelEdge => ({ id: `${sourceId} ${id}`, sourceId, targetId: id });
  const given = kind === 'service' ? childrenOf(element, 'outputDecision') : [];
  const outputs = given.map(({ attributes: { href = '' } }) => href.slice(href.indexOf('#') + 1));
  return [...requires.map((each) => each.id), ...outputs].map(edge);
}

/** Where elements are drawn, by their ids. */
export type Positions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;
