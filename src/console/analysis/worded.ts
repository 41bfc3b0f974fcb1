import { isObject, rowsOf, textOf } from '../graph/fields.js';

const textsAndNames = /'[^']*'|"[^"]*"|[\p{L}_][\p{L}\p{N}_.]*/gu;

/** What is said of a table by the fields that it reads, in the words of its columns. */
export function worded(message: string, content: unknown): string {
  const columns = rowsOf(isObject(content) ? content : {}, 'inputs');
  const names = new Map(columns.map((column) => [textOf(column['field']), textOf(column['name'])]));
  return message.replaceAll(textsAndNames, (found) => names.get(found) || found);
}
