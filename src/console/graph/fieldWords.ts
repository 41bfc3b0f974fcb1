import { rowsOf, textOf } from './fields.js';

const place = /^content\.(expressions|statements|rules)\[(\d+)\](?:\.(inputs|outputs)\[(\d+)\])?/;

/** A place in a node as a person finds it there: `content.expressions[1].value` is `Row 2, class`. */
export function fieldWords(field: string, content: unknown): string {
  const [, list = '', row, side = '', column] = place.exec(field) ?? [];
  if (row === undefined) return field.replace(/^content\./, '');
  const named =
    list === 'expressions'
      ? textOf(rowsOf(content, list)[Number(row)]?.['key'])
      : [rowsOf(content, side)[Number(column)] ?? {}]
          .map(({ name, field: own }) => textOf(name) || textOf(own))
          .join('');
  return [`Row ${Number(row) + 1}`, named].filter(Boolean).join(', ');
}
