import { childrenOf, readDefinitions, type Element } from '../../../workers/engine/dmn/document.js';
import type { Model, ModelNode } from '../api/types.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';
import { expressionIn } from './boxes.js';
import { withColumnsWritten } from './columns.js';
import {
  afterTag,
  blanksBefore,
  closingOf,
  element,
  endOf,
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
export function documentOf(model: Model): string {
  // Cells are compared once each rule has those of the columns that are there now.
  const { document: xml = '', nodes } = withColumnsWritten(model);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const splices = readDefinitions(xml).parts.flatMap(({ id, element }) => {
    const table = expressionIn(partLogic(element));
    const node = byId.get(id);
    return table?.name === 'decisionTable' && node !== undefined ? tableSplices(xml, table, node) : [];
  });
  return spliced(xml, splices);
}

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
