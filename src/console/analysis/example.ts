import type { Model } from '../api/types.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';

const plainField = /^[A-Za-z_]\w*$/;
const heading = /^\$root(\[(?:"[^"\\]*"|'[^'\\]*')\])$/;
const number = String.raw`-?\d+(?:\.\d+)?`;
const value = new RegExp(String.raw`^(?:${number}|"[^"\\]*"|'[^'\\]*'|true|false)$`);
const comparison = new RegExp(String.raw`^([<>]=?) *(${number})$`);
const range = new RegExp(String.raw`^[[(](${number}) *\.\.`);

/**
 * A condition about a model's own columns, to be asked whether it can ever hold: what a row asks for, with what another one
 * gives. Null where no table has columns and cells that are so simple.
 */
export function exampleOf({ nodes }: Model): string | null {
  for (const { type, content } of nodes) {
    if (type !== 'decisionTableNode') continue;
    const rules = rowsOf(content, 'rules');
    const asked = firstOf(rowsOf(content, 'inputs'), rules, conditionOn);
    const given = firstOf(rowsOf(content, 'outputs'), [...rules].reverse(), resultOf);
    if (asked !== null && given !== null) return `${asked} and ${given}`;
  }
  return null;
}

function firstOf(
  columns: readonly Fields[],
  rules: readonly Fields[],
  read: (field: string, cell: string) => string | null,
): string | null {
  for (const column of columns)
    for (const rule of rules) {
      const found = read(textOf(column['field']).trim(), textOf(rule[textOf(column['id'])]).trim());
      if (found !== null) return found;
    }
  return null;
}

/** What a cell asks of a field of the fact, as an expression. */
function conditionOn(field: string, cell: string): string | null {
  const path = plainField.test(field) ? `.${field}` : heading.exec(field)?.[1];
  if (path === undefined) return null;
  const [, sign, than] = comparison.exec(cell) ?? [];
  if (sign !== undefined && than !== undefined) return `fact${path} ${sign} ${than}`;
  const low = range.exec(cell)?.[1];
  if (low !== undefined) return `fact${path} > ${low}`;
  return value.test(cell) ? `fact${path} == ${cell}` : null;
}

/** What a cell gives: outputs are called by names, which may have blanks. */
function resultOf(field: string, cell: string): string | null {
  if (field === '' || /["\\.[\]]/.test(field) || !value.test(cell)) return null;
  return `result${plainField.test(field) ? `.${field}` : `["${field}"]`} == ${cell}`;
}
