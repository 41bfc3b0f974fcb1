import { childOf, childrenOf, textWithin, type Element } from '../../../workers/engine/dmn/document.js';
import type { Box } from '../graph/fields.js';

const expressions: ReadonlySet<string> = new Set([
  ...['literalExpression', 'decisionTable', 'context', 'relation', 'list', 'invocation', 'functionDefinition'],
  ...['conditional', 'filter', 'for', 'some', 'every'],
]);

const expressionsIn = (element: Element): Element[] => element.children.filter(({ name }) => expressions.has(name));

/** The expression within an element. */
export const expressionIn = (element: Element | undefined): Element | undefined =>
  element === undefined ? undefined : expressionsIn(element)[0];

const text = (value: string): Box => ({ kind: 'text', text: value });

const within = (element: Element | undefined): Box => {
  const expression = expressionIn(element);
  return expression === undefined ? text('') : boxOf(expression);
};

/** The children of these names, each as an entry that is called as it is. */
const parts = (element: Element, names: readonly string[]): (readonly [string, Box])[] =>
  names.flatMap((name) => {
    const child = childOf(element, name);
    return child === undefined ? [] : [[name, within(child)] as const];
  });

const nameIn = (element: Element, name: string): string => childOf(element, name)?.attributes['name'] ?? '';

const readers: ReadonlyMap<string, (element: Element) => Box> = new Map(
  Object.entries<(element: Element) => Box>({
    literalExpression: (element) => text(textWithin(element) ?? ''),
    decisionTable: tableBox,
    context: (element) => ({
      kind: 'entries',
      name: 'Context',
      // The last entry may have no name: it is what the whole gives.
      entries: childrenOf(element, 'contextEntry').map((entry) => [
        nameIn(entry, 'variable') || 'result',
        within(entry),
      ]),
    }),
    relation: (element) => ({
      kind: 'rows',
      columns: childrenOf(element, 'column').map(({ attributes }) => attributes['name'] ?? ''),
      rows: childrenOf(element, 'row').map((row) => expressionsIn(row).map(boxOf)),
    }),
    list: (element) => ({
      kind: 'entries',
      name: 'List',
      entries: expressionsIn(element).map((item, at) => [String(at + 1), boxOf(item)]),
    }),
    invocation: (element) => ({
      kind: 'entries',
      name: 'Call',
      entries: [
        ['calls', within(element)],
        ...childrenOf(element, 'binding').map((each) => [nameIn(each, 'parameter'), within(each)] as const),
      ],
    }),
    functionDefinition: (element) => {
      const parameters = childrenOf(element, 'formalParameter').map(({ attributes }) => attributes['name'] ?? '');
      return { kind: 'entries', name: 'Function', entries: [[`(${parameters.join(', ')})`, within(element)]] };
    },
    conditional: (element) => ({ kind: 'entries', name: 'If', entries: parts(element, ['if', 'then', 'else']) }),
    filter: (element) => ({ kind: 'entries', name: 'Filter', entries: parts(element, ['in', 'match']) }),
    ...Object.fromEntries(['for', 'some', 'every'].map((name) => [name, iteratorBox])),
  }),
);

/** What an expression is drawn as. */
export const boxOf = (element: Element): Box => readers.get(element.name)?.(element) ?? text('');

function iteratorBox(element: Element): Box {
  const { iteratorVariable = '' } = element.attributes;
  const entries = parts(element, ['in', 'return', 'satisfies']);
  return { kind: 'entries', name: element.name, entries: [[element.name, text(iteratorVariable)], ...entries] };
}

/** A table that is a part of another expression. */
function tableBox(element: Element): Box {
  const heads = [
    ...childrenOf(element, 'input').map(
      (each) => each.attributes['label'] ?? textWithin(each, 'inputExpression') ?? '',
    ),
    ...childrenOf(element, 'output').map((each) => each.attributes['label'] ?? each.attributes['name'] ?? ''),
  ];
  const cells = (rule: Element): Box[] =>
    [...childrenOf(rule, 'inputEntry'), ...childrenOf(rule, 'outputEntry')].map((each) => text(textWithin(each) ?? ''));
  return { kind: 'rows', columns: heads, rows: childrenOf(element, 'rule').map(cells) };
}
