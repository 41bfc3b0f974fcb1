import {
  childOf,
  childrenOf,
  textWithin,
  type Definitions,
  type Element,
} from '../../../workers/engine/dmn/document.js';
import { expressionIn } from './boxes.js';

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
