import { setKey } from '../../zen/values/objects.js';
import type { ValueObject } from '../../values.js';
import type { Table } from './content.js';
import type { Matching } from './rows.js';

/** What a trace shows of a matching row: its place, the values of the fields that its cells tested, and those cells. */
export function traceOf({ inputs, rules }: Table, index: number, matching: Matching): ValueObject {
  const cells = rules[index];
  const rule: ValueObject = { _id: cells?.get('_id') ?? '' };
  const description = cells?.get('_description');
  if (description !== undefined) rule['_description'] = description;
  const references: ValueObject = {};
  inputs.forEach(({ id, field }, column) => {
    const cell = cells?.get(id);
    if (cell === undefined || field === '') return;
    const value = matching.shown(column);
    if (value !== undefined) setKey(references, field, value);
    setKey(rule, `${field}[${id}]`, cell);
  });
  return { index, reference_map: references, rule };
}
