import { childrenOf, readDefinitions, type Element } from '../../../workers/engine/dmn/document.js';
import type { Model } from '../api/types.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';
import { expressionIn } from './boxes.js';
import { columnLists, columnSplices, placed, type ColumnList } from './columns.js';
import {
  afterTag,
  blanksBefore,
  closingOf,
  element,
  escaped,
  prefixAt,
  spliced,
  textSplice,
  type Splice,
} from './splices.js';
import { cellElements, cellText, partLogic, ruleId } from './tables.js';

/**
 * The document of a model whose tables were changed: the same text, but for the columns, cells and rules that are others now. All
 * else, such as layout, comments and how the modeler wrote it, stays to the byte.
 */
export function documentOf({ document: xml = '', nodes }: Model): string {
  const definitions = readDefinitions(xml);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const splices = definitions.parts.flatMap((part) => {
    const table = expressionIn(partLogic(part.element));
    const node = byId.get(part.id);
    if (table?.name !== 'decisionTable' || node === undefined) return [];
    const changed = { table, part, definitions, content: node.content };
    const lists = columnLists(changed);
    return [...columnSplices(xml, changed, lists), ...rulesSplices(xml, table, rowsOf(node.content, 'rules'), lists)];
  });
  return spliced(xml, splices);
}

/** Rules in their places, or all of them anew where some were added, moved or removed: each goes along with what stands before it. */
function rulesSplices(xml: string, table: Element, rows: readonly Fields[], lists: readonly ColumnList[]): Splice[] {
  const rules = childrenOf(table, 'rule');
  const isInPlace =
    rules.length === rows.length && rules.every((rule, at) => ruleId(rule) === textOf(rows[at]?.['_id']));
  if (isInPlace) return rules.flatMap((rule, at) => ruleSplices(xml, rule, rows[at] ?? {}, lists));
  const [first] = rules;
  const end = rules.at(-1)?.end ?? closingOf(xml, table);
  const start = first === undefined ? end : blanksBefore(xml, first.offset);
  const own = new Map(rules.map((rule, at) => [ruleId(rule), { rule, from: rules[at - 1]?.end ?? start }]));
  const gap = first === undefined ? '\n' : xml.slice(start, first.offset);
  const written = rows.map((row) => {
    const found = own.get(textOf(row['_id']));
    if (found === undefined) return gap + newRule(prefixAt(xml, table.offset), row, lists);
    const { rule, from } = found;
    return spliced(xml.slice(from, rule.end), ruleSplices(xml, rule, row, lists), from);
  });
  return [{ from: start, to: end, text: written.join('') }];
}

/** The cells of a rule that are others now, come or go. */
function ruleSplices(xml: string, rule: Element, row: Fields, lists: readonly ColumnList[]): Splice[] {
  const prefix = prefixAt(xml, rule.offset);
  const note = textOf(row['_description']);
  const cells = cellElements(rule);
  const gone = new Set(
    lists.flatMap(({ before, order }) => before.filter((_, at) => !order.includes(at)).map(({ id }) => id)),
  );
  const at = afterTag(xml, rule.offset);
  const noted = { from: at, to: at, text: element(prefix, 'description', escaped(note)) };
  return [
    ...(note === '' || cells.has('_description') ? [] : [noted]),
    ...[...cells].flatMap(([column, cell]) => {
      const next = textOf(row[column]);
      return gone.has(column) || next === cellText(cell) ? [] : [textSplice(xml, cell, next)];
    }),
    ...lists.flatMap((list) =>
      placed(xml, { ...list, parent: rule, present: childrenOf(rule, list.entry) }, (at) =>
        newCell(prefix, row, list, at),
      ),
    ),
  ];
}

const newCell = (prefix: string, row: Fields, { entry, after }: ColumnList, at: number): string =>
  element(prefix, entry, element(prefix, 'text', escaped(textOf(row[after[at]?.id ?? '']))));

function newRule(prefix: string, row: Fields, lists: readonly ColumnList[]): string {
  const note = textOf(row['_description']);
  const cells = lists.flatMap((list) => list.after.map((_, at) => newCell(prefix, row, list, at)));
  return (
    // By which reports call it, as the desk does.
    `<${prefix}rule id="${escaped(textOf(row['_id']).replace(/^(?=\d)/, '_'))}">` +
    (note === '' ? '' : element(prefix, 'description', escaped(note))) +
    `${cells.join('')}</${prefix}rule>`
  );
}
