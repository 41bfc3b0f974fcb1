import {
  childOf,
  childrenOf,
  textWithin,
  type Definitions,
  type Element,
  type Part,
} from '../../../workers/engine/dmn/document.js';
import { membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { resultShape } from './shape.js';
import { afterTag, blanksBefore, element, escaped, prefixAt, textSplice, type Splice } from './splices.js';
import { hitPolicyOf, tableColumns, type TableColumn } from './tables.js';

const kinds = [
  { list: 'inputs', name: 'input', entry: 'inputEntry', behind: [] },
  { list: 'outputs', name: 'output', entry: 'outputEntry', behind: ['input', 'inputEntry'] },
] as const;

/** A table of the document, and what it is to be. */
export interface ChangedTable {
  readonly table: Element;
  readonly part: Part;
  readonly definitions: Definitions;
  readonly content: unknown;
}

/** The inputs or outputs of a table. */
export interface ColumnList {
  readonly list: 'inputs' | 'outputs';
  /** Of a column's element, and of a cell's in a rule. */
  readonly name: string;
  readonly entry: string;
  /** What else stands before all of them. */
  readonly behind: readonly string[];
  readonly before: readonly TableColumn[];
  readonly after: readonly TableColumn[];
  /** Which of those before each is that is to be; -1 for a new one. */
  readonly order: readonly number[];
  /** Some come, or go. */
  readonly isOther: boolean;
}

export function columnLists({ table, part, definitions, content }: ChangedTable): readonly ColumnList[] {
  const columns = tableColumns(table, part.typeRef, definitions);
  return kinds.map((kind) => {
    const before = columns[kind.list];
    const after = rowsOf(content, kind.list).map(columnIn);
    const order = after.map(({ id }) => before.findIndex((each) => each.id === id));
    const isOther = order.length !== before.length || order.some((from, at) => from !== at);
    return { ...kind, before, after, order, isOther };
  });
}

/** What gives a table its hit policy and columns; what was not changed stays as it was written. */
export function columnSplices(xml: string, changed: ChangedTable, lists: readonly ColumnList[]): Splice[] {
  const { table, part, definitions, content } = changed;
  const policy = textOf(membersOf(content)['hitPolicy']);
  const outputs = lists.find(({ list }) => list === 'outputs');
  const shape = resultShape(hitPolicyOf(table), outputs?.before.length ?? 0);
  const isOther = shape !== resultShape(policy, outputs?.after.length ?? 0);
  const made = columnMaker(prefixAt(xml, table.offset), definitions);
  const columns = lists.flatMap(({ name, before, after, order, ...list }) => {
    const present = childrenOf(table, name);
    const own = after.flatMap((column, at) => {
      const [old, element] = [before[order[at] ?? -1], present[order[at] ?? -1]];
      if (old === undefined || element === undefined) return [];
      // What the decision's type said of its only output, that output says itself once the decision gives something else.
      const type = isOther && shape === '' && name === 'output' ? element.attributes['typeRef'] : old.typeRef;
      return changeOf(xml, { own: element, was: { ...old, typeRef: type ?? '' }, column, made });
    });
    const first = table.children[0]?.offset ?? 0;
    const gap = xml.slice(blanksBefore(xml, first), first);
    const place = { parent: table, present, order, ...list };
    return [...own, ...placed(xml, place, (at) => gap + made(name, after[at] ?? emptyColumn))];
  });
  return [...policySplices(xml, table, policy), ...(isOther ? typeless(xml, table, part) : []), ...columns];
}

interface Place extends Pick<ColumnList, 'order' | 'behind' | 'isOther'> {
  readonly parent: Element;
  readonly present: readonly Element[];
}

/** Elements of a list of which some go, with the blanks before them, and others come. */
export function placed(
  xml: string,
  { parent, present, order, behind, isOther }: Place,
  made: (at: number) => string,
): Splice[] {
  if (!isOther) return [];
  const end = present[0]?.offset ?? parent.end;
  const before = parent.children.filter(
    ({ name, offset }) => offset < end && ['description', 'extensionElements', ...behind].includes(name),
  );
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

function changeOf(xml: string, { own, was, column, made }: ChangedColumn): Splice[] {
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

const columnIn = ({ id, name, field, typeRef }: Fields): TableColumn => ({
  ...{ id: textOf(id), name: textOf(name), field: textOf(field), typeRef: textOf(typeRef), type: undefined },
});

const emptyColumn = columnIn({});
