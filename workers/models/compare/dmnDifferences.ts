import { isRecord } from '../../json/index.js';
import { childOf, childrenOf, dmnOf, EngineError, readDefinitions, type Element } from '../../engine/index.js';
import { compareLists, type ChangedItem } from './listDifferences.js';
import {
  edgeDifference,
  nodeDifference,
  rowDifference,
  type ModelDifferences,
  type RowDifference,
} from './itemDifferences.js';
import { changedFields, isSame } from './changes.js';

type Members = Readonly<Record<string, unknown>>;

/** An element of a document as the comparison takes it: its members without its rules and requirements. */
interface Item extends Members {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

interface Read {
  readonly items: readonly Item[];
  readonly edges: readonly Members[];
  /** The tables of each element, by its id. */
  readonly tables: ReadonlyMap<string, readonly Element[]>;
  readonly rest: Members;
}

const elements = new Set([
  ...['import', 'itemDefinition', 'inputData', 'decision', 'businessKnowledgeModel', 'decisionService'],
  ...['knowledgeSource'],
]);
const requirements = new Set(['informationRequirement', 'knowledgeRequirement', 'authorityRequirement']);

/**
 * Compares two contents of DMN by their elements; undefined where one of them is no document of DMN. An element is known by
 * its id, else by its name. Layouts and extensions are no differences, nor is the order of elements.
 */
export function compareDmn(from: unknown, to: unknown): ModelDifferences | undefined {
  const [before, after] = [from, to].map(readContent);
  if (before === undefined || after === undefined) return undefined;
  const same = new Map(sameElements(before.items, after.items));
  const idOf = (item: unknown): string | null => (isItem(item) ? (same.get(item) ?? item.id) : null);
  const rows: RowDifference[] = [];
  const nodes = compareLists(before.items, after.items, { idOf, isSame }).filter(isNoMove);
  for (const item of after.items) {
    const old = before.items.find((each) => idOf(each) === idOf(item));
    if (old !== undefined) rows.push(...rowsOf(item, before.tables.get(old.id) ?? [], after.tables.get(item.id) ?? []));
  }
  const edges = compareLists(before.edges, after.edges, { idOf: endsOf, isSame: () => true }).filter(isNoMove);
  const fields = changedFields(before.rest, after.rest);
  return {
    nodes: nodes.map(nodeDifference),
    edges: edges.map((edge) => ({ ...edgeDifference(edge), ...namesOf(edge) })),
    rows,
    ...(fields.length === 0 ? {} : { fields }),
  };
}

const isItem = (item: unknown): item is Item => isRecord(item) && typeof item['id'] === 'string';
const isNoMove = ({ change }: ChangedItem): boolean => change !== 'moved';

/** Elements of the newer document under other ids, with the ids that elements of that name had in the older one. */
function sameElements(before: readonly Item[], after: readonly Item[]): [Item, string][] {
  const [old, young] = [before, after].map((items) => new Set(items.map(({ id }) => id)));
  const free = new Map(before.filter(({ id }) => young?.has(id) !== true).map((item) => [nameKey(item), item.id]));
  return after.flatMap((item): [Item, string][] => {
    const id = old?.has(item.id) === true ? undefined : free.get(nameKey(item));
    return id === undefined ? [] : [[item, id]];
  });
}

const nameKey = ({ type, name }: Item): string => `${type} ${name}`;

function readContent(content: unknown): Read | undefined {
  const xml = dmnOf(content);
  if (xml === undefined) return undefined;
  try {
    const { root } = readDefinitions(xml);
    const own = root.children.filter(({ name }) => elements.has(name));
    const items = own.map(itemOf);
    const others = root.children.filter(({ name }) => !elements.has(name));
    const { contentType: _, xml: __, ...around } = isRecord(content) ? content : {};
    const names = new Map(items.map(({ id, name }) => [id, name]));
    return {
      items,
      edges: own.flatMap((element, at) => edgesOf(element, items[at]?.id ?? '', names)),
      tables: new Map(own.map((element, at) => [items[at]?.id ?? '', tablesIn(element)])),
      rest: { ...around, definitions: { ...plainAttributes(root), ...membersOf(others) } },
    };
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

function itemOf(element: Element): Item {
  const { id, name = '' } = element.attributes;
  const inner = element.children.filter((child) => !requirements.has(child.name));
  return {
    ...plainAttributes(element),
    ...membersOf(inner),
    id: id ?? `${element.name} ${name}`,
    name,
    type: element.name,
  };
}

/** A namespace is no attribute of an element's own. */
const plainAttributes = ({ attributes }: Element): Members =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => !key.startsWith('xmlns') && !key.includes(':')));

/** Children by name, those of one name as a list; rules are compared by themselves. */
function membersOf(children: readonly Element[]): Members {
  const members: Record<string, unknown> = {};
  for (const name of new Set(children.map((child) => child.name))) {
    if (name === 'rule') continue;
    const all = children.filter((child) => child.name === name).map(valueOf);
    members[name] = all.length === 1 ? all[0] : all;
  }
  return members;
}

function valueOf(element: Element): unknown {
  const members = { ...plainAttributes(element), ...membersOf(element.children) };
  return Object.keys(members).length === 0 ? element.text : members;
}

/** What an element requires, as edges from there to it. */
function edgesOf(element: Element, target: string, names: ReadonlyMap<string, string>): Members[] {
  const ends = [
    ...element.children.filter(({ name }) => requirements.has(name)).flatMap(({ children }) => children),
    ...childrenOf(element, 'outputDecision'),
  ];
  return ends.flatMap(({ name, attributes: { href } }) => {
    if (href === undefined) return [];
    const source = href.replace(/^#/, '');
    return [
      { sourceId: source, targetId: target, type: name, sourceName: names.get(source), targetName: names.get(target) },
    ];
  });
}

const endsOf = (edge: unknown): string | null =>
  isRecord(edge) ? JSON.stringify([edge['sourceId'], edge['targetId'], edge['type']]) : null;

function namesOf({ before, after }: ChangedItem): { readonly sourceName?: string; readonly targetName?: string } {
  const edge = after ?? before;
  const { sourceName, targetName } = isRecord(edge) ? edge : {};
  return {
    ...(typeof sourceName === 'string' ? { sourceName } : {}),
    ...(typeof targetName === 'string' ? { targetName } : {}),
  };
}

function tablesIn(element: Element): Element[] {
  return element.children.flatMap((child) => (child.name === 'decisionTable' ? [child] : tablesIn(child)));
}

/** The rules of an element's tables that differ, those of one table after those of another. */
function rowsOf({ id, name: nodeName }: Item, before: readonly Element[], after: readonly Element[]): RowDifference[] {
  return after.flatMap((table, at) => {
    const old = before[at];
    if (old === undefined) return [];
    const columns = columnsOf(old, table);
    const [rules, others] = [old, table].map((each, side) =>
      childrenOf(each, 'rule').map((rule) =>
        rowOf(
          rule,
          columns.map((column) => column[side === 0 ? 'from' : 'to']),
          columns,
        ),
      ),
    ) as [Members[], Members[]];
    const idOf = (row: unknown): string | null => (isRecord(row) && typeof row['_id'] === 'string' ? row['_id'] : null);
    return compareLists(rules, others, { idOf, isSame }).map((row) => ({ ...rowDifference(id, row), nodeName }));
  });
}

/** A column of both tables: where its entries stand in each. */
interface Column {
  readonly name: string;
  readonly kind: 'inputEntry' | 'outputEntry' | 'annotationEntry';
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Columns of two tables, by their ids, else by what they read or write. */
function columnsOf(before: Element, after: Element): Column[] {
  const columns: Column[] = [];
  const taken = new Set<string>();
  for (const [element, kind] of [
    ['input', 'inputEntry'],
    ['output', 'outputEntry'],
    ['annotation', 'annotationEntry'],
  ] as const) {
    const [old, young] = [before, after].map((table) => childrenOf(table, element));
    const same = (one: Element, other: Element): boolean =>
      one.attributes['id'] !== undefined && other.attributes['id'] !== undefined
        ? one.attributes['id'] === other.attributes['id'] || labelOf(one) === labelOf(other)
        : labelOf(one) === labelOf(other);
    const add = (column: Element, from: number | undefined, to: number | undefined): void => {
      let name = labelOf(column);
      for (let count = 2; taken.has(name); count++) name = `${labelOf(column)} (${count})`;
      taken.add(name);
      columns.push({ name, kind, from, to });
    };
    const left = new Set(old?.keys());
    for (const [to, column] of (young ?? []).entries()) {
      const from = [...left].find((at) => same(old?.[at] as Element, column));
      if (from !== undefined) left.delete(from);
      add(column, from, to);
    }
    for (const from of left) add(old?.[from] as Element, from, undefined);
  }
  return columns;
}

/** What people call a column: what an input reads, what an output is named. */
function labelOf(column: Element): string {
  const expression = childOf(column, 'inputExpression') ?? column;
  const text = childOf(expression, 'text')?.text.trim();
  return text ?? column.attributes['name'] ?? column.attributes['label'] ?? column.name;
}

/** A rule with a member for each column. */
function rowOf(rule: Element, places: readonly (number | undefined)[], columns: readonly Column[]): Members {
  const { id } = rule.attributes;
  const entries = columns.flatMap(({ name, kind }, at): [string, string][] => {
    const place = places[at];
    const entry = place === undefined ? undefined : childrenOf(rule, kind)[place];
    const text = entry && childOf(entry, 'text')?.text;
    return text === undefined ? [] : [[name, text]];
  });
  const description = childOf(rule, 'description')?.text;
  return {
    ...(id === undefined ? {} : { _id: id }),
    ...Object.fromEntries(entries),
    ...(description === undefined ? {} : { _description: description }),
  };
}
