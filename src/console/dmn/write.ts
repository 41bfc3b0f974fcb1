import { childOf, childrenOf, readDefinitions, type Element } from '../../../workers/engine/dmn/document.js';
import type { Model, ModelNode } from '../api/types.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';
import { expressionIn } from './boxes.js';
import { cellElements, cellText, partLogic, ruleId } from './tables.js';

/** A stretch of the document, and what stands there instead. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The document of a model whose tables were changed: the same text, but for the cells and rules that are others now. All else,
 * such as layout, comments and how the modeler wrote it, stays to the byte.
 */
export function documentOf({ document: xml = '', nodes }: Model): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const splices = readDefinitions(xml).parts.flatMap(({ id, element }) => {
    const table = expressionIn(partLogic(element));
    const node = byId.get(id);
    return table?.name === 'decisionTable' && node !== undefined ? tableSplices(xml, table, node) : [];
  });
  return spliced(xml, splices);
}

/** A part of the document that begins at `start`, from the end on, so that places before stay where they are. */
const spliced = (part: string, splices: Splice[], start = 0): string =>
  splices
    .sort((one, other) => other.from - one.from)
    .reduce((text, { from, to, text: next }) => text.slice(0, from - start) + next + text.slice(to - start), part);

function tableSplices(xml: string, table: Element, { content }: ModelNode): Splice[] {
  const rows = rowsOf(content, 'rules');
  const rules = childrenOf(table, 'rule');
  const isInPlace =
    rules.length === rows.length && rules.every((rule, at) => ruleId(rule) === textOf(rows[at]?.['_id']));
  if (isInPlace) return rules.flatMap((rule, at) => ruleSplices(xml, rule, rows[at] ?? {}));
  return [rulesSplice(xml, table, rules, rows)];
}

/** The cells of a rule that are others now. */
function ruleSplices(xml: string, rule: Element, row: Fields): Splice[] {
  const cells = cellElements(rule);
  const changed = [...cells].flatMap(([column, cell]) => {
    const next = textOf(row[column]);
    return next === cellText(cell) ? [] : [textSplice(xml, cell, next)];
  });
  const note = textOf(row['_description']);
  if (note === '' || cells.has('_description')) return changed;
  const at = afterTag(xml, rule.offset);
  return [...changed, { from: at, to: at, text: element(prefixAt(xml, rule.offset), 'description', escaped(note)) }];
}

/** The text of a cell: what stands between its tags, whatever it was written as. */
function textSplice(xml: string, cell: Element, next: string): Splice {
  const holder = cell.name === 'description' ? cell : childOf(cell, 'text');
  const prefix = prefixAt(xml, cell.offset);
  if (holder === undefined) {
    const at = afterTag(xml, cell.offset);
    if (xml[at - 2] !== '/') return { from: at, to: at, text: element(prefix, 'text', escaped(next)) };
    return openedAt(xml, cell, element(prefix, 'text', escaped(next)));
  }
  const from = afterTag(xml, holder.offset);
  if (xml[from - 2] === '/') return openedAt(xml, holder, escaped(next));
  return { from, to: closingOf(xml, holder, from), text: escaped(next) };
}

/** An element that was written as an empty one, with something in it. */
function openedAt(xml: string, { offset, name }: Element, inner: string): Splice {
  const end = afterTag(xml, offset);
  return { from: end - 2, to: end, text: `>${inner}</${prefixAt(xml, offset)}${name}>` };
}

/** The rules of a table of which some were added, moved or removed: each goes along with what stands before it. */
function rulesSplice(xml: string, table: Element, rules: readonly Element[], rows: readonly Fields[]): Splice {
  const ends = rules.map((rule) => endOf(xml, rule));
  const first = rules[0];
  const end = ends.at(-1) ?? closingOf(xml, table, afterTag(xml, table.offset));
  const start = first === undefined ? end : blanksBefore(xml, first.offset);
  const own = new Map(
    rules.map((rule, at) => [
      ruleId(rule),
      { rule, from: at === 0 ? start : (ends[at - 1] ?? start), to: ends[at] ?? end },
    ]),
  );
  const gap = first === undefined ? '\n' : xml.slice(start, first.offset);
  const written = rows.map((row) => {
    const found = own.get(textOf(row['_id']));
    if (found === undefined) return gap + newRule(prefixAt(xml, table.offset), table, row);
    const { rule, from, to } = found;
    return spliced(xml.slice(from, to), ruleSplices(xml, rule, row), from);
  });
  return { from: start, to: end, text: written.join('') };
}

function newRule(prefix: string, table: Element, row: Fields): string {
  const cells = (list: string, name: string, entry: string): string =>
    childrenOf(table, list)
      .map((_, at) => element(prefix, entry, element(prefix, 'text', escaped(textOf(row[`${name}${at}`])))))
      .join('');
  const note = textOf(row['_description']);
  return (
    // Names of elements do not begin with a digit.
    `<${prefix}rule id="_${escaped(textOf(row['_id']))}">` +
    (note === '' ? '' : element(prefix, 'description', escaped(note))) +
    cells('input', 'in', 'inputEntry') +
    cells('output', 'out', 'outputEntry') +
    `</${prefix}rule>`
  );
}

const element = (prefix: string, name: string, inner: string): string =>
  `<${prefix}${name}>${inner}</${prefix}${name}>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The prefix that an element is written with, such as `dmn:`. */
const prefixAt = (xml: string, offset: number): string =>
  /^<([^\s/>:]+:)?/.exec(xml.slice(offset, offset + 200))?.[1] ?? '';

/** Behind the tag that begins here; a `>` within quotes is none of it. */
function afterTag(xml: string, offset: number): number {
  const tag = /(?:[^>"']|"[^"]*"|'[^']*')*>/y;
  tag.lastIndex = offset;
  tag.exec(xml);
  return tag.lastIndex;
}

/** Where the closing tag of an element begins: behind all that is in it. */
function closingOf(xml: string, { children, name }: Element, from: number): number {
  const last = children.at(-1);
  return markupAt(xml, last === undefined ? from : endOf(xml, last), name);
}

/** Behind an element. */
function endOf(xml: string, each: Element): number {
  const from = afterTag(xml, each.offset);
  return xml[from - 2] === '/' ? from : afterTag(xml, closingOf(xml, each, from));
}

/** The next closing tag of a name, what stands in comments and marked sections left out, and elements of that name in others' extensions. */
function markupAt(xml: string, from: number, name: string): number {
  const markup =
    /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)(?:[^\s/>:]+:)?([^\s/>:]+)(?:[^>"']|"[^"]*"|'[^']*')*>/g;
  markup.lastIndex = from;
  let depth = 0;
  for (let found = markup.exec(xml); found !== null; found = markup.exec(xml)) {
    if (found[2] !== name) continue;
    if (found[1] === '/') {
      if (depth === 0) return found.index;
      depth--;
    } else if (!found[0].endsWith('/>')) depth++;
  }
  return xml.length;
}

/** The blanks before a place go along with what stands there. */
function blanksBefore(xml: string, offset: number): number {
  let at = offset;
  while (at > 0 && /\s/.test(xml[at - 1] ?? '')) at--;
  return at;
}
