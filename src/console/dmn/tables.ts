import {
  childOf,
  childrenOf,
  textWithin,
  type Definitions,
  type Element,
} from '../../../workers/engine/dmn/document.js';
import { expressionIn } from './boxes.js';
import type { ColumnKind } from '../../../workers/cells/index.js';

/** Where an element of the requirements graph has its logic: business knowledge models have it in a function. */
export const partLogic = (element: Element): Element | undefined =>
  element.name === 'businessKnowledgeModel' ? childOf(element, 'encapsulatedLogic') : element;

/** What reports and traces call a rule. */
export const ruleId = ({ attributes: { id }, pointer }: Element): string => id ?? pointer;

/** The elements that hold a rule's cells, by the ids of their columns; `_description` is the note. */
export function cellElements(rule: Element): ReadonlyMap<string, Element> {
  const entries = (name: string, list: string) =>
    childrenOf(rule, name).map((each, at) => [`${list}${at}`, each] as const);
  const note = childOf(rule, 'description') ?? childOf(rule, 'annotationEntry');
  return new Map([
    ...entries('inputEntry', 'in'),
    ...entries('outputEntry', 'out'),
    ...(note === undefined ? [] : [['_description', note] as const]),
  ]);
}

/** Where the cells of a document's tables are in the model that pages show, by the pointers of their elements. */
export const cellPointers = ({ parts }: Definitions): ReadonlyMap<string, string> =>
  new Map(
    parts.flatMap(({ element }, node) => {
      const table = expressionIn(partLogic(element));
      if (table?.name !== 'decisionTable') return [];
      return childrenOf(table, 'rule').flatMap((rule, row) =>
        [...cellElements(rule)].map(
          ([column, { pointer }]) => [pointer, `/nodes/${node}/content/rules/${row}/${column}`] as const,
        ),
      );
    }),
  );

/** The texts of a rule's cells, by the ids of their columns. */
export const cellsOf = (rule: Element): Readonly<Record<string, string>> =>
  Object.fromEntries([...cellElements(rule)].map(([id, cell]) => [id, cellText(cell)]));

/** A description is the text itself; all other cells have an element for it. */
export const cellText = (cell: Element): string => (cell.name === 'description' ? cell.text : (textWithin(cell) ?? ''));

/** Types of FEEL, and the names that modelers wrote before the standard had them. */
const kinds: ReadonlyMap<string, ColumnKind> = new Map(
  Object.entries<ColumnKind>({
    ...{ number: 'number', integer: 'number', long: 'number', double: 'number' },
    ...{ string: 'text', boolean: 'boolean', date: 'date', time: 'time' },
    ...{ 'date and time': 'dateTime', dateTime: 'dateTime' },
  }),
);

/** A type may be made of others. */
const mostSteps = 12;

/** What the cells of a column are by its type; the type's own name where there is no kind for it, as for durations. */
export function kindOfType(typeRef: string | undefined, { items }: Definitions): string | undefined {
  let name = typeRef?.slice(typeRef.indexOf(':') + 1).trim();
  for (let steps = 0; steps < mostSteps && name !== undefined; steps++) {
    if (name === 'Any' || name === '') return undefined;
    const known = kinds.get(name);
    if (known !== undefined) return known;
    const item = items.find(({ attributes }) => attributes['name'] === name);
    const base = item && childOf(item, 'typeRef')?.text.trim();
    if (item === undefined || base === undefined) return name;
    if (textWithin(item, 'allowedValues') !== undefined && kinds.get(base) === 'text') return 'list';
    name = base;
  }
  return undefined;
}

/** The type of an input: what its column says, else that of the data or decision that it names. */
export function inputType(input: Element, { parts }: Definitions): string | undefined {
  const named = textWithin(input, 'inputExpression')?.trim();
  return childOf(input, 'inputExpression')?.attributes['typeRef'] ?? parts.find(({ name }) => name === named)?.typeRef;
}

/** A column of a table, as the pages show it; its id says which of the document's it is. */
export interface TableColumn {
  readonly id: string;
  readonly name: string;
  /** What an input reads; what an output is called in the result. */
  readonly field: string;
  readonly typeRef: string;
  readonly type: string | undefined;
  /** Of an output: its values have an order. */
  readonly isListed?: boolean;
}

/** A hit policy and its aggregator: `UNIQUE`, `COLLECT SUM`. */
export const hitPolicyOf = ({ attributes: { hitPolicy, aggregation } }: Element): string =>
  [hitPolicy ?? 'UNIQUE', aggregation].filter(Boolean).join(' ');

/** @param typeRef of the decision, which is the type of its only output */
export function tableColumns(table: Element, typeRef: string | undefined, definitions: Definitions) {
  const column = (id: string, { attributes: { label, name } }: Element, field: string, own: string | undefined) => ({
    ...{ id, name: label ?? name ?? field, field, typeRef: own ?? '', type: kindOfType(own, definitions) },
  });
  return {
    inputs: childrenOf(table, 'input').map((each, at): TableColumn =>
      column(`in${at}`, each, textWithin(each, 'inputExpression')?.trim() ?? '', inputType(each, definitions)),
    ),
    outputs: childrenOf(table, 'output').map((each, at, all): TableColumn => {
      const { name = '', typeRef: own } = each.attributes;
      const shown = column(`out${at}`, each, name, own ?? (all.length === 1 ? typeRef : undefined));
      return { ...shown, isListed: shown.type === 'list' || childOf(each, 'outputValues') !== undefined };
    }),
  };
}
