import { pointerStep } from '../../../json/index.js';
import type { Written } from '../nodeType.js';

/** A column of conditions. Cells test the field's value; without a field they are boolean expressions. */
export interface InputColumn {
  readonly id: string;
  readonly name: string;
  /** An expression; '' for none. */
  readonly field: string;
}

/** A column of results. */
export interface OutputColumn {
  readonly id: string;
  readonly name: string;
  /** The dotted path that is written; '' for a column that writes nothing. */
  readonly path: string;
  /** `field[]`: the values of all matching rows become a list. */
  readonly collect: boolean;
}

/** Trimmed cells by column id, with `_id` and `_description`. */
export type Rule = ReadonlyMap<string, string>;

/** The content of a decision table node. */
export interface Table {
  /** All matching rows instead of the first one. */
  readonly collect: boolean;
  readonly inputs: readonly InputColumn[];
  readonly outputs: readonly OutputColumn[];
  readonly rules: readonly Rule[];
}

/** Where a cell stands, for machines and for people. */
export function inputLocation({ inputs }: Table, row: number, column: number): { field: string; label: string } {
  const { name, field } = inputs[column] ?? { name: '', field: '' };
  return {
    field: `content.rules[${row}].inputs[${column}]`,
    label: `rule ${row + 1}, input ${field === '' ? name : field}`,
  };
}

export function outputLocation({ outputs }: Table, row: number, column: number): { field: string; label: string } {
  const { path, collect } = outputs[column] ?? { path: '', collect: false };
  return {
    field: `content.rules[${row}].outputs[${column}]`,
    label: `rule ${row + 1}, output ${path}${collect ? '[]' : ''}`,
  };
}

/** Every expression of a table: the fields of its columns, then its cells row by row. */
export function* writtenIn(table: Table): Iterable<Written> {
  const { inputs, outputs, rules } = table;
  for (const [column, { field, name }] of inputs.entries()) {
    const location = { field: `content.inputs[${column}].field`, label: `input column ${name === '' ? field : name}` };
    const pointer = `/content/inputs/${column}/field`;
    if (field !== '') yield { source: field, kind: 'standard', ...location, pointer, tolerated: tolerated.field };
  }
  for (const [row, rule] of rules.entries()) {
    for (const [column, { id, field }] of inputs.entries()) {
      const source = rule.get(id) ?? '';
      const kind = field === '' ? 'condition' : 'unary';
      const location = inputLocation(table, row, column);
      if (source !== '') yield { source, kind, ...location, pointer: cellPointer(row, id), tolerated: tolerated.input };
    }
    for (const [column, { id, path }] of outputs.entries()) {
      const source = rule.get(id) ?? '';
      if (source === '' || path === '') continue;
      const location = outputLocation(table, row, column);
      yield { source, kind: 'standard', ...location, pointer: cellPointer(row, id), tolerated: tolerated.output };
    }
  }
}

/** What a cell or field that fails means for its table. */
const tolerated = {
  field: 'Cells of this column never match until it is right.',
  input: 'The rule never matches until it is right.',
  output: 'The rule is passed over until it is right.',
};

const cellPointer = (row: number, id: string): string => `/content/rules/${row}${pointerStep(id)}`;
