import type { ColumnKind } from '../../../workers/cells/index.js';
import { jsonOr } from '../api/exactJson.js';
import type { Model } from '../api/types.js';
import { kindsOf } from '../editor/repairs.js';
import { sheetOf } from '../editor/sheet.js';
import { namesWritten } from '../editor/words.js';
import { isObject, textOf, type Fields } from '../graph/fields.js';

const types: Partial<Record<ColumnKind, Fields>> = {
  number: { type: 'number' },
  text: { type: 'string' },
  list: { type: 'string' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time' },
  time: { type: 'string' },
};

/**
 * The schema of a draft's facts, so that a new model has its form at once: what the request says, else what the service has
 * found in the working copy, and the inputs that the draft's tables have beyond it.
 */
export function draftSchema({ nodes, document }: Model, stored: unknown): unknown {
  // Of a document of DMN its modeler has said it.
  if (document !== undefined) return stored;
  const request = nodes.find(({ type }) => type === 'inputNode');
  const own = isObject(request?.content) ? textOf(request.content['schema']) : '';
  if (own !== '') return jsonOr(own, null) ?? stored;
  const known = isObject(stored) ? stored : { type: 'object' };
  const before = isObject(known['properties']) ? known['properties'] : {};
  // What other decisions ask for is not written here.
  const isAll = nodes.every(({ type }) => !['decisionNode', 'customNode'].includes(type));
  const properties: Record<string, unknown> = Object.fromEntries(
    Object.entries(before).filter(([name]) => !isAll || isNamed(nodes, name)),
  );
  const written = new Set(nodes.flatMap(({ content }) => namesWritten(content)));
  for (const { type, content } of nodes) {
    const sheet = type === 'decisionTableNode' && isObject(content) ? sheetOf(type, content) : undefined;
    if (sheet === undefined || !isObject(content)) continue;
    const kinds = kindsOf(content, sheet);
    sheet.columns.forEach((column, at) => {
      // A longer path goes into something whose other members are not known here.
      if (column.side !== 'in' || !/^[A-Za-z_]\w*$/.test(column.field) || written.has(column.field)) return;
      properties[column.field] ??= types[kinds[at] ?? 'any'] ?? {};
    });
  }
  const isSame = Object.keys(properties).join('\n') === Object.keys(before).join('\n');
  return isSame ? stored : { ...known, properties };
}

/** Quoted texts are no names, but for those in brackets: `$root["Loan type"]`. */
const quoted = /(?<!\[)(?:"[^"]*"|'[^']*')/gu;
const names = /[\p{L}_$][\p{L}\p{N}_$]*|(?<=\[)(?:"[^"]*"|'[^']*')(?=\])/gu;

/** Whether a text of the draft may name it: what none does is asked for no more, such as a word that was put right. */
function isNamed(value: unknown, name: string): boolean {
  if (typeof value === 'string')
    return (
      value.includes(name) &&
      [...value.replaceAll(quoted, '').matchAll(names)].some(([found]) => found.replaceAll(/^["']|["']$/g, '') === name)
    );
  if (Array.isArray(value)) return value.some((each) => isNamed(each, name));
  return isObject(value) && Object.values(value).some((each) => isNamed(each, name));
}
