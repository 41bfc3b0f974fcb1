import { compiledDmn, type ImportedContent } from '../../engine/index.js';
import { readDefinitions } from '../../engine/dmn/definitions.js';
import type { Element } from '../../engine/dmn/element.js';
import type { Deadline } from '../deadline.js';
import type { ChangedTable, Changes } from '../model.js';
import { intersection } from '../ranges.js';
import { jointBoxes, type TableBoxes } from '../tableBoxes.js';
import { changeOfBoxes, compareWithin, type TableChange } from '../tableChange.js';
import type { FeelTable } from './feelTable.js';
import { readTable, type ReadTable } from './readTable.js';

interface Means {
  readonly imported: ((name: string) => ImportedContent | undefined) | undefined;
  readonly until: Deadline;
}

/** Where the tables of two documents take inputs otherwise, of those that differ in their rules alone. */
export function dmnChanges(before: string, after: string, { imported, until }: Means): Changes {
  const [old, young] = [before, after].map((xml) => skeletonOf(xml)) as [Skeleton, Skeleton];
  const others = new Map(tablesIn(after, imported).map((table) => [table.id, table]));
  const tables: ChangedTable[] = [];
  const reasons: string[] = [];
  if (old.rest !== young.rest) reasons.push('they differ in more than their decisions');
  for (const id of new Set([...old.parts.keys(), ...young.parts.keys()])) {
    const [was, is] = [old.parts.get(id), young.parts.get(id)];
    if (was?.text === is?.text) continue;
    const name = `“${is?.name ?? was?.name ?? ''}”`;
    if (was === undefined || is === undefined) reasons.push(`${name} is in one of them alone`);
    else reasons.push(`${name} differs in more than the rules of a table`);
  }
  for (const table of tablesIn(before, imported)) {
    const { ownerId } = table;
    const other = others.get(table.id);
    // Of what else differs there it is said already.
    if (other === undefined || old.parts.get(ownerId)?.text !== young.parts.get(ownerId)?.text) continue;
    const change = changeOf(table, other, until);
    const reason = typeof change === 'string' ? change : change.reason;
    if (reason !== null) reasons.push(`in the table “${other.name}” ${reason}`);
    else if (typeof change !== 'string' && change.regions.length > 0) {
      const ruleIds = [table.table.ruleIds, other.table.ruleIds] as const;
      tables.push({ nodeId: table.id, ruleIds, change });
    }
  }
  return { tables, reason: reasons.join('; ') || null };
}

function tablesIn(xml: string, imported: Means['imported']): ReadTable[] {
  const tables: ReadTable[] = [];
  compiledDmn(xml, { imported, onTable: (table, node) => tables.push(readTable(table, node)) });
  return tables;
}

/** Why, where they cannot be compared. */
function changeOf(before: ReadTable, after: ReadTable, until: Deadline): TableChange | string {
  if (JSON.stringify(before.table.outputs) === JSON.stringify(after.table.outputs) && before.text === after.text)
    return { boxes: { dimensions: [], rows: [] }, regions: [], reason: null };
  if ([...before.table.fields].some(([name, terms]) => terms !== (after.table.fields.get(name) ?? terms)))
    return 'its cells are of other types';
  const { hitPolicy } = before.table;
  if (hitPolicy === 'PRIORITY' && [before, after].some(({ table }) => table.ruling.order === null))
    return 'the outputs are computed';
  return compareWithin(until, 'rules', (budget) => {
    const [old, young] = jointBoxes([before.table, after.table], until) as [TableBoxes, TableBoxes];
    return changeOfBoxes([inOrder(old, before), inOrder(young, after)], {
      budget,
      isFirst: before.table.ruling.order !== null,
      isSame: (one, other) => resultOf(before.table, one) === resultOf(after.table, other),
      possibleOf: (dimension) => intersection(before.table.possibleOf(dimension), after.table.possibleOf(dimension)),
    });
  });
}

/** What a table gives where those rules hold, as a text: the same for the same results. */
function resultOf({ hitPolicy, outputs }: FeelTable, rows: readonly number[]): string {
  const texts = [...rows].sort((one, other) => one - other).map((row) => outputs[row]?.text ?? '');
  if (rows.length < 2 || hitPolicy === 'COLLECT' || hitPolicy.endsWith('ORDER')) return JSON.stringify(texts);
  // Several rules of a table of which only one may match give null, and so do several outputs under ANY.
  return hitPolicy === 'ANY' ? JSON.stringify([...new Set(texts)].sort()) : 'null';
}

const inOrder = ({ dimensions, rows }: TableBoxes, { table: { ruling } }: ReadTable): TableBoxes => ({
  dimensions,
  rows: ruling.order?.flatMap((index) => rows[index] ?? []) ?? rows,
});

/** What a document does beside the rules of its tables: each of its parts by itself, and all else. */
interface Skeleton {
  readonly parts: ReadonlyMap<string, { readonly name: string; readonly text: string }>;
  readonly rest: string;
}

function skeletonOf(xml: string): Skeleton {
  const bare = ({ name, attributes, text, children }: Element): unknown => [
    name,
    attributes,
    text.trim(),
    children.filter((child) => child.name !== 'rule' && child.name !== 'description').map(bare),
  ];
  const { root, parts } = readDefinitions(xml);
  const own = new Set(parts.map(({ element }) => element));
  return {
    parts: new Map(parts.map(({ id, name, element }) => [id, { name, text: JSON.stringify(bare(element)) }])),
    rest: JSON.stringify(bare({ ...root, children: root.children.filter((child) => !own.has(child)) })),
  };
}
