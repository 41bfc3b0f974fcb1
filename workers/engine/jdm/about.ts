import { isRecord, recordsIn } from '../../json/index.js';
import { readModel, type ModelNode } from './model.js';
import { planOf } from './plan.js';
import { inOrder } from './schemas.js';

/** Characters of a model's own words that a reader is given. */
export const maxAbout = 2000;

/**
 * What a model decides, in its own words: its description and those of its nodes, what its tables and expressions are called
 * and give. For who chooses among decisions by reading, as agents do. Empty where it says nothing.
 * @param document the model, parsed
 */
export function aboutJdm(document: unknown): string {
  const model = readModel(document, () => undefined);
  const plan = planOf(model);
  const steps = inOrder(plan).flatMap((index) => {
    const node = model.nodes[index];
    if (node === undefined) return [];
    const said = [summaryOf(node), textOf(node.document['description'])].filter((part) => part !== '');
    return said.length === 0 ? [] : [sentence(`${node.name}: ${said.join('. ')}`)];
  });
  const described = isRecord(document) ? textOf(document['description']) : '';
  return [...(described === '' ? [] : [sentence(described)]), ...steps].join(' ').slice(0, maxAbout);
}

function summaryOf({ type, content }: ModelNode): string {
  if (type === 'decisionTableNode') {
    const [inputs, outputs] = [namesIn(content['inputs']), namesIn(content['outputs'])];
    return inputs === '' ? `a table that gives ${outputs}` : `a table that gives ${outputs} by ${inputs}`;
  }
  if (type === 'expressionNode') {
    const keys = namesIn(content['expressions'], 'key');
    return keys === '' ? '' : `gives ${keys}`;
  }
  return '';
}

/** The names of columns, with their fields where these are called otherwise; of expressions their keys. */
function namesIn(list: unknown, member = 'name'): string {
  return recordsIn(list)
    .map((item) => {
      const [name, field] = [textOf(item[member]), textOf(item['field'])];
      if (name === '' || name === field) return field;
      return field === '' ? name : `${name} (${field})`;
    })
    .filter((name) => name !== '')
    .join(', ');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
