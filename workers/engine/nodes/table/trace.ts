import type { ValueObject } from '../../values.js';
import { setKey } from '../../zen/index.js';
import type { Table } from './content.js';
import type { Matching } from './rows.js';

/** Makes what a trace shows of a matching row. */
type RowTracer = (row: number, matching: Matching) => ValueObject;

/** A row's index, the values of the fields that its filled cells tested, and those cells as they are written. */
export function rowTracer(table: Table): RowTracer {
  // What a row's cells say never changes; values are never written to, so that traces may share it.
  const written = new Map<number, ValueObject>();
  return (index, matching) => {
    const rule = written.get(index) ?? ruleOf(table, index);
    written.set(index, rule);
    return { index, reference_map: referencesOf(table, index, matching), rule };
  };
}

function ruleOf({ inputs, rules }: Table, index: number): ValueObject {
  const cells = rules[index];
  const rule: ValueObject = { _id: cells?.get('_id') ?? '' };
  const description = cells?.get('_description');
  if (description !== undefined) rule['_description'] = description;
  for (const { id, field } of inputs) {
    const cell = cells?.get(id);
    if (cell !== undefined && field !== '') setKey(rule, `${field}[${id}]`, cell);
  }
  return rule;
}

function referencesOf({ inputs, rules }: Table, index: number, matching: Matching): ValueObject {
  const cells = rules[index];
  const references: ValueObject = {};
  for (let column = 0; column < inputs.length; column++) {
    const input = inputs[column];
    if (input === undefined || input.field === '' || cells?.has(input.id) !== true) continue;
    const value = matching.shown(column);
    if (value !== undefined) setKey(references, input.field, value);
  }
  return references;
}
