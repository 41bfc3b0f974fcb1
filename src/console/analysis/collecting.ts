import type { Model } from '../api/types.js';
import { isLastRowTheRest } from '../editor/gapRow.js';
import { isObject, rowsOf, textOf, type Fields } from '../graph/fields.js';

/** Whether a cell takes everything. */
export const isAny = (cell: string): boolean => cell === '' || cell === '-';

/** Without rows that take everything: they cross none, and meet all of thousands. */
const asking = (content: Fields): readonly Fields[] => {
  const inputs = rowsOf(content, 'inputs').map(({ id }) => textOf(id));
  return rowsOf(content, 'rules').filter((rule) => inputs.some((id) => !isAny(textOf(rule[id]).trim())));
};

/** The model as if all rows that hold were taken: then the analysis tells which do so together. Null where no table takes the first. */
export function collecting(model: Model): Model | null {
  const nodes = model.nodes.map((node) =>
    node.type === 'decisionTableNode' && isObject(node.content) && isLastRowTheRest(node.content)
      ? { ...node, content: { ...node.content, hitPolicy: 'collect', rules: asking(node.content) } }
      : node,
  );
  const isOther = model.document === undefined && nodes.some((node, at) => node !== model.nodes[at]);
  return isOther ? { ...model, nodes } : null;
}

/** Tables without a last row that takes everything; null where none has one. */
export function withoutOpenLast(model: Model): Model | null {
  const nodes = model.nodes.map((node) =>
    node.type === 'decisionTableNode' && isObject(node.content) && hasOpenLast(node.content)
      ? { ...node, content: { ...node.content, rules: rowsOf(node.content, 'rules').slice(0, -1) } }
      : node,
  );
  const isOther = model.document === undefined && nodes.some((node, at) => node !== model.nodes[at]);
  return isOther ? { ...model, nodes } : null;
}

function hasOpenLast(content: Fields): boolean {
  const rules = rowsOf(content, 'rules');
  const last = rules.at(-1);
  return (
    rules.length > 1 &&
    isLastRowTheRest(content) &&
    rowsOf(content, 'inputs').every(({ id }) => isAny(textOf(last?.[textOf(id)]).trim()))
  );
}
