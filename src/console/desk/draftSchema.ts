import { isEverything, isFormula, isWords } from '../../../workers/cells/index.js';
import { jsonOr } from '../api/exactJson.js';
import type { Model, ModelNode } from '../api/types.js';
import { givenBy, wantedBy, type Called } from '../editor/called.js';
import { cellColumn, kindsOf } from '../editor/readColumn.js';
import { meantOtherwise } from '../editor/repairs.js';
import { namesRead } from '../editor/rowsAbove.js';
import { cellText, sheetOf } from '../editor/sheet.js';
import { clockPattern } from '../../../workers/cells/index.js';
import { namesWritten } from '../editor/words.js';
import { fieldPath, isObject, membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';

/** By the kinds of columns. */
const types: Readonly<Record<string, Fields>> = {
  number: { type: 'number' },
  text: { type: 'string' },
  list: { type: 'string' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time' },
  time: { type: 'string', pattern: clockPattern },
};

/**
 * The schema of a draft's facts, so that a new model has its form at once: what the request says, else what the service has
 * found in the working copy, and what the draft's tables, expressions and the decisions that it runs ask for beyond it.
 */
export function draftSchema({ nodes, document }: Model, stored: unknown, called: Called = new Map()): unknown {
  // Of a document of DMN its modeler has said it.
  if (document !== undefined) return stored;
  const request = nodes.find(({ type }) => type === 'inputNode');
  const own = isObject(request?.content) ? textOf(request.content['schema']) : '';
  if (own !== '') return jsonOr(own, null) ?? stored;
  const known = isObject(stored) ? stored : { type: 'object' };
  const before = isObject(known['properties']) ? known['properties'] : {};
  // What other decisions ask for is not written here; of some it is not known.
  const isAll = nodes.every(
    (node) => node.type !== 'customNode' && (node.type !== 'decisionNode' || wantedBy(node, called) !== null),
  );
  const isAsked = (name: string): boolean => nodes.some((node) => asksFor(node, name));
  const wanted = new Set(nodes.flatMap((node) => Object.keys(wantedBy(node, called) ?? {})));
  const properties: Record<string, unknown> = Object.fromEntries(
    Object.entries(before).flatMap(([name, schema]) => {
      if (!isAll || wanted.has(name)) return [[name, schema]];
      return isAsked(name) ? [[name, withoutUnasked(schema, isAsked)]] : [];
    }),
  );
  const written = new Set(nodes.flatMap((node) => [...namesWritten(node.content), ...givenBy(node, called)]));
  for (const { type, content } of nodes) {
    const sheet = type === 'decisionTableNode' ? sheetOf({ type, content }) : undefined;
    if (sheet === undefined || readsPart(content)) continue;
    const kinds = kindsOf(sheet);
    sheet.columns.forEach((column, at) => {
      const path = column.side === 'in' ? fieldPath(column.field, sheet.isOfDocument) : [];
      const [name] = path;
      if (name === undefined || written.has(name)) return;
      // A longer path goes into something whose other members are not known here.
      if (path.length > 1) {
        putInner(properties, path, types[kinds[at] ?? 'any'] ?? {});
        return;
      }
      // What the service has not found out of it, the kind of its column says: a date is asked for as one.
      const found = { ...types[kinds[at] ?? 'any'], ...membersOf(properties[name]) };
      // A cell of another kind that is yet to be put right makes no numbers of a column of texts.
      properties[name] = isText(kinds[at]) && Array.isArray(found['type']) ? { ...found, type: 'string' } : found;
    });
  }
  for (const name of nodes.flatMap(namesAsked))
    if (/^[\p{L}_]/u.test(name) && !written.has(name)) properties[name] ??= {};
  for (const node of nodes) {
    const given = new Set(nodes.flatMap((other) => (other === node ? [] : givenBy(other, called))));
    for (const [name, schema] of Object.entries(wantedBy(node, called) ?? {}))
      if (!given.has(name)) properties[name] = { ...membersOf(schema), ...membersOf(properties[name]) };
  }
  const isSame = JSON.stringify(properties) === JSON.stringify(before);
  // A new model takes anything, as the service says it: what it asks for is known where nothing of it can only be run.
  const isFound =
    membersOf(stored)['properties'] === undefined && isAll && nodes.every(({ type }) => type !== 'functionNode');
  return isSame && !isFound ? stored : { type: 'object', ...known, properties };
}

/**
 * The schema of what a draft answers: that of its response, else what the service has found in the working copy, and what the
 * last tables and expressions write beyond it.
 */
export function draftAnswer({ nodes, edges, document }: Model, stored: unknown): unknown {
  const known = membersOf(stored);
  const before = membersOf(known['properties']);
  const ends = new Set(nodes.flatMap(({ id, type }) => (type === 'outputNode' ? [id] : [])));
  if (document !== undefined || nodes.some(({ id, content }) => ends.has(id) && membersOf(content)['schema']))
    return stored;
  const added: Record<string, unknown> = {};
  for (const { id, type, content } of nodes) {
    const out = edges.filter(({ sourceId }) => sourceId === id);
    const sheet = out.every(({ targetId }) => ends.has(targetId)) ? sheetOf({ type, content }) : undefined;
    if (sheet === undefined || membersOf(content)['outputPath']) continue;
    const kinds = kindsOf(sheet);
    for (const [at, { side, field }] of sheet.columns.entries()) {
      const [name, ...rest] = side === 'out' && type === 'decisionTableNode' ? fieldPath(field, false) : [];
      if (name !== undefined && rest.length === 0 && !Object.hasOwn(before, name))
        added[name] = types[kinds[at] ?? 'any'] ?? {};
    }
  }
  const days = daysGiven(nodes).filter((name) => membersOf(before[name])['type'] === 'string');
  for (const name of days) added[name] = { ...types['date'], ...membersOf(before[name]) };
  if (Object.keys(added).length === 0) return stored;
  return { type: 'object', ...known, properties: { ...before, ...added } };
}

/** The names of which all that gives them has days, by the kinds of its columns. */
function daysGiven(nodes: Model['nodes']): readonly string[] {
  const days = new Set<string>();
  const others = new Set<string>();
  for (const node of nodes) {
    const sheet = node.type === 'decisionTableNode' ? sheetOf(node) : undefined;
    const kinds = sheet === undefined ? [] : kindsOf(sheet);
    const own = (sheet?.columns ?? []).flatMap(({ side, field }, at) =>
      side === 'out' && kinds[at] === 'date' ? [field] : [],
    );
    for (const name of namesWritten(node.content)) (own.includes(name) ? days : others).add(name);
  }
  return [...days].filter((name) => !others.has(name));
}

const isText = (kind: string | null | undefined): boolean => kind === 'text' || kind === 'list';

/** What a member of the fact has, without the members of its own that nothing names any more. */
function withoutUnasked(schema: unknown, isAsked: (name: string) => boolean): unknown {
  if (!isObject(schema) || !isObject(schema['properties'])) return schema;
  const inner = Object.entries(schema['properties']).flatMap(([name, own]) =>
    isAsked(name) ? [[name, withoutUnasked(own, isAsked)] as const] : [],
  );
  return { ...schema, properties: Object.fromEntries(inner) };
}

/** Puts a field into what is known of the objects on its path; into no list, and nothing that is otherwise known. */
function putInner(properties: Record<string, unknown>, [name = '', ...rest]: readonly string[], found: Fields): void {
  const before = membersOf(properties[name]);
  if (rest.length === 0) properties[name] = { ...found, ...before };
  else if ((before['type'] ?? 'object') === 'object' && !('anyOf' in before)) {
    const inner = { ...membersOf(before['properties']) };
    putInner(inner, rest, found);
    properties[name] = { ...before, type: 'object', properties: inner };
  }
}

/** Whether a node reads a part of what comes into it: its fields are no members of the fact. */
const readsPart = (content: unknown): boolean => textOf(membersOf(content)['inputField']).trim() !== '';

/** What expressions, conditions and results of a node read by its name: fields of a draft that was never kept are known from them alone. */
const namesAsked = (node: ModelNode): readonly string[] =>
  [
    ...(readsPart(node.content)
      ? []
      : [...rowsOf(node.content, 'expressions').map(({ value }) => textOf(value)), ...resultsOf(node)]),
    ...rowsOf(node.content, 'statements').map(({ condition }) => textOf(condition)),
  ].flatMap((text) => (isFormula(text) || isEverything(text.trim()) ? [] : namesRead(text).map(({ name }) => name)));

/** The results of a table that compute something; words, `n/a`, and all that may be one among texts ask for nothing. */
function resultsOf(node: ModelNode): readonly string[] {
  const sheet = node.type === 'decisionTableNode' ? sheetOf(node) : undefined;
  return (sheet?.columns ?? []).flatMap(({ side }, index) => {
    const column = sheet === undefined || side !== 'out' ? undefined : cellColumn(sheet, index);
    return [...new Set(column?.texts)].filter((text) => {
      if (!/[\p{L}_]/u.test(text.replaceAll(quoted, '')) || isWords(text)) return false;
      const readings = column?.faultIn(text)?.readings ?? [];
      return !readings.includes('') && !(isText(column?.kind) && readings.length > 0);
    });
  });
}

/** Whether a node may ask for it; a cell that a person means otherwise asks for nothing. */
function asksFor(node: ModelNode, name: string): boolean {
  const sheet = sheetOf(node);
  if (sheet === undefined) {
    const { key: _key, ...rest } = membersOf(node.content);
    return isNamed(node.type === 'decisionNode' ? rest : node.content, name);
  }
  const { [sheet.list]: _rows, inputs: _inputs, outputs: _outputs, ...settings } = sheet.content;
  if (isNamed(settings, name)) return true;
  if (sheet.list === 'statements')
    return sheet.rows.some(({ condition }) => !isEverything(textOf(condition).trim()) && isNamed(condition, name));
  if (sheet.list === 'expressions') return sheet.rows.some(({ value }) => isNamed(value, name));
  return (
    sheet.columns.some(({ side, field }) => side === 'in' && isNamed(field, name)) ||
    rowsOf(sheet.content, 'outputs').some((column) => isNamed(column['defaultValue'], name)) ||
    sheet.columns.some((column, index) => {
      if (column.side === 'note') return false;
      const texts = sheet.rows.map((row) => cellText(row, column)).filter((text) => isNamed(text, name));
      // A large table is read once for all of them.
      const isOther = texts.length === 0 ? null : meantOtherwise(sheet, index);
      return isOther !== null && !texts.every(isOther);
    })
  );
}

/** Quoted texts are no names, but for those in brackets: `$root["Loan type"]`. */
const quoted = /(?<!\[)(?:"[^"]*"|'[^']*')/gu;
const names = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*|(?<=\[)(?:"[^"]*"|'[^']*')(?=\])/gu;

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
