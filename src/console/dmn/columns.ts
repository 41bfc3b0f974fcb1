import {
  childOf,
  childrenOf,
  readDefinitions,
  textWithin,
  type Definitions,
  type Element,
  type Part,
} from '../../../workers/engine/dmn/document.js';
import type { Model } from '../api/types.js';
import { membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { expressionIn } from './boxes.js';
import { resultShape } from './shape.js';
import { afterTag, blanksBefore, element, escaped, prefixAt, spliced, textSplice, type Splice } from './splices.js';
import { hitPolicyOf, partLogic, tableColumns, type TableColumn } from './tables.js';

const lists = [
  { list: 'inputs', name: 'input', entry: 'inputEntry', id: 'in', behind: [], empty: '-' },
  { list: 'outputs', name: 'output', entry: 'outputEntry', id: 'out', behind: ['input', 'inputEntry'], empty: '' },
] as const;

/**
 * The model with a document whose tables have its hit policies and columns; each rule has a cell for each column. What was
 * not changed stays as it was written.
 */
export function withColumnsWritten(model: Model): Model {
  const { document: xml = '' } = model;
  const definitions = readDefinitions(xml);
  const parts = new Map(definitions.parts.map((part) => [part.id, part]));
  const splices: Splice[] = [];
  const nodes = model.nodes.map((node) => {
    const part = parts.get(node.id);
    const table = part && expressionIn(partLogic(part.element));
    if (part === undefined || table?.name !== 'decisionTable') return node;
    const own = tableSplices(xml, { table, part, definitions, content: node.content });
    splices.push(...own);
    return own.length === 0 ? node : { ...node, content: numbered(node.content) };
  });
  return splices.length === 0 ? model : { ...model, document: spliced(xml, splices), nodes };
}

interface ChangedTable {
  readonly table: Element;
  readonly part: Part;
  readonly definitions: Definitions;
  readonly content: unknown;
}

function tableSplices(xml: string, { table, part, definitions, content }: ChangedTable): Splice[] {
  const before = tableColumns(table, part.typeRef, definitions);
  const [policy, outputs] = [textOf(membersOf(content)['hitPolicy']), rowsOf(content, 'outputs').length];
  const shape = resultShape(hitPolicyOf(table), before.outputs.length);
  const isOther = shape !== resultShape(policy, outputs);
  const made = columnMaker(prefixAt(xml, table.offset), definitions);
  const columns = lists.flatMap(({ list, name, entry, behind, empty }) => {
    const present = childrenOf(table, name);
    const after = rowsOf(content, list).map(columnIn);
    const order = after.map(({ id }) => before[list].findIndex((each) => each.id === id));
    const changed = after.flatMap((column, at) => {
      const [was, own] = [before[list][order[at] ?? -1], present[order[at] ?? -1]];
      if (was === undefined || own === undefined) return [];
      // What the decision's type said of its only output, that output says itself once the decision gives something else.
      const type = isOther && shape === '' && name === 'output' ? own.attributes['typeRef'] : was.typeRef;
      return columnSplices(xml, { own, was: { ...was, typeRef: type ?? '' }, column, made });
    });
    if (order.length === present.length && order.every((from, at) => from === at)) return changed;
    const gap = xml.slice(blanksBefore(xml, table.children[0]?.offset ?? 0), table.children[0]?.offset ?? 0);
    const column = (at: number): string => gap + made(name, after[at] ?? emptyColumn);
    const cells = childrenOf(table, 'rule').flatMap((rule) => {
      const prefix = prefixAt(xml, rule.offset);
      const cell = (): string => element(prefix, entry, element(prefix, 'text', empty));
      return placed(xml, { parent: rule, present: childrenOf(rule, entry), order, behind }, cell);
    });
    return [...changed, ...placed(xml, { parent: table, present, order, behind }, column), ...cells];
  });
  return [...policySplices(xml, table, policy), ...(isOther ? typeless(xml, table, part) : []), ...columns];
}

interface Place {
  readonly parent: Element;
  readonly present: readonly Element[];
  /** Which of those present each is that is to be, in their order; -1 for a new one. */
  readonly order: readonly number[];
  /** What else of the parent stands before all of them. */
  readonly behind: readonly string[];
}

/** Elements of a list of which some go, with the blanks before them, and others come. */
function placed(xml: string, { parent, present, order, behind }: Place, made: (at: number) => string): Splice[] {
  const before = parent.children.filter(({ name }) => ['description', 'extensionElements', ...behind].includes(name));
  let at = before.at(-1)?.end ?? afterTag(xml, parent.offset);
  const come = order.flatMap((from, index): Splice[] => {
    at = present[from]?.end ?? at;
    return from < 0 ? [{ from: at, to: at, text: made(index) }] : [];
  });
  const go = present.flatMap(({ offset, end }, index): Splice[] =>
    order.includes(index) ? [] : [{ from: blanksBefore(xml, offset), to: end, text: '' }],
  );
  return [...come, ...go];
}

function policySplices(xml: string, table: Element, policy: string): Splice[] {
  if (policy === hitPolicyOf(table)) return [];
  const [, aggregation] = /^COLLECT (.+)$/.exec(policy) ?? [];
  return [
    ...attribute(xml, table, 'hitPolicy', aggregation === undefined ? policy : 'COLLECT'),
    ...attribute(xml, table, 'aggregation', aggregation ?? ''),
  ];
}

/** What gives something else now is not of the type that was declared of it: every value of another type would be null. */
const typeless = (xml: string, table: Element, { element: owner }: Part): Splice[] =>
  [table, owner, childOf(owner, 'encapsulatedLogic'), childOf(owner, 'variable')].flatMap((each) =>
    each === undefined ? [] : attribute(xml, each, 'typeRef', ''),
  );

interface ChangedColumn {
  readonly own: Element;
  readonly was: TableColumn;
  readonly column: TableColumn;
  readonly made: ReturnType<typeof columnMaker>;
}

function columnSplices(xml: string, { own, was, column, made }: ChangedColumn): Splice[] {
  const { name, field, typeRef } = column;
  const isOutput = own.name === 'output';
  const holder = isOutput ? own : childOf(own, 'inputExpression');
  if (holder === undefined)
    return field === '' ? [] : [{ from: own.offset, to: own.end, text: made(own.name, column) }];
  const isRead = field === (isOutput ? was.field : (textWithin(holder) ?? '').trim());
  const read = isOutput ? attribute(xml, own, 'name', field) : [textSplice(xml, holder, field)];
  return [
    ...(name === (own.attributes['label'] ?? field) ? [] : attribute(xml, own, 'label', name)),
    ...(isRead ? [] : read),
    ...(typeRef === was.typeRef ? [] : attribute(xml, holder, 'typeRef', typeRef)),
  ];
}

/** How a new column is written. */
function columnMaker(prefix: string, { version, prefixes }: Definitions) {
  // In DMN 1.1 a type is a name with the prefix of its namespace.
  const [feel] = version === '1.1' ? ([...prefixes].find(([, uri]) => /\bFEEL\b/i.test(uri)) ?? []) : [];
  const attributes = (of: Readonly<Record<string, string>>): string =>
    Object.entries(of)
      .map(([name, value]) => (value === '' ? '' : ` ${name}="${quoted(value)}"`))
      .join('');
  return (kind: string, { id, name, field, typeRef: type }: TableColumn): string => {
    const typeRef = feel === undefined || type === '' || type.includes(':') ? type : `${feel}:${type}`;
    const own = attributes({ id: `_${id}`, label: name, ...(kind === 'output' ? { name: field, typeRef } : {}) });
    if (kind === 'output') return `<${prefix}output${own}/>`;
    const text = element(prefix, 'text', escaped(field));
    const expression = `<${prefix}inputExpression${attributes({ typeRef })}>${text}</${prefix}inputExpression>`;
    return `<${prefix}input${own}>${expression}</${prefix}input>`;
  };
}

/** An attribute with another value, or without one where that is empty. */
function attribute(xml: string, { offset }: Element, name: string, value: string): Splice[] {
  const tag = xml.slice(offset, afterTag(xml, offset));
  const start = /^<[^\s/>]+/.exec(tag)?.[0].length ?? 0;
  const text = value === '' ? '' : ` ${name}="${quoted(value)}"`;
  for (const found of tag.matchAll(/\s+([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g)) {
    if (found[1] !== name) continue;
    const from = offset + found.index;
    return [{ from, to: from + found[0].length, text }];
  }
  return text === '' ? [] : [{ from: offset + start, to: offset + start, text }];
}

const quoted = (text: string): string => escaped(text).replaceAll('"', '&quot;');

const columnIn = (column: Fields): TableColumn => {
  const [id, name, field, typeRef] = ['id', 'name', 'field', 'typeRef'].map((each) => textOf(column[each]));
  return { id: id ?? '', name: name ?? '', field: field ?? '', typeRef: typeRef ?? '', type: undefined };
};

const emptyColumn = columnIn({});

/** Columns by their places, as a document that is read has them. */
function numbered(content: unknown): Fields {
  const ids = new Map(
    lists.flatMap(({ list, id }) =>
      rowsOf(content, list).map((column, at) => [textOf(column['id']), `${id}${at}`] as const),
    ),
  );
  const under = (id: string): string => ids.get(id) ?? id;
  return {
    ...membersOf(content),
    ...Object.fromEntries(
      lists.map(({ list }) => [
        list,
        rowsOf(content, list).map((each) => ({ ...each, id: under(textOf(each['id'])) })),
      ]),
    ),
    rules: rowsOf(content, 'rules').map((rule) =>
      Object.fromEntries(Object.entries(rule).map(([id, cell]) => [under(id), cell])),
    ),
  };
}
