import { compiledDmn, type ImportedContent } from '../../engine/index.js';
import { readDefinitions } from '../../engine/dmn/definitions.js';
import type { Element } from '../../engine/dmn/xml.js';
import { BudgetExceeded, type Budget } from '../budget.js';
import type { Deadline } from '../deadline.js';
import { findingsFor } from '../findings.js';
import type { ChangedTable } from '../model.js';
import { intersection } from '../ranges.js';
import { jointBoxes, type TableBoxes } from '../tableBoxes.js';
import { changeOfBoxes } from '../tableChange.js';
import { readTable, type ReadTable } from './readTable.js';

const comparisons = 10_000_000;

interface Means {
  readonly imported: ((name: string) => ImportedContent | undefined) | undefined;
  readonly until: Deadline;
}

/** Where the tables of two documents take inputs otherwise; why not, where they cannot be compared. */
export function dmnChanges(before: string, after: string, { imported, until }: Means): ChangedTable[] | string {
  if (skeleton(before) !== skeleton(after)) return 'they differ in more than the rules of tables';
  const [old, young] = [before, after].map((xml) => tablesIn(xml, imported)) as [ReadTable[], ReadTable[]];
  const changes: ChangedTable[] = [];
  for (const [index, table] of old.entries()) {
    const other = young[index];
    if (other === undefined) return 'they differ in more than the rules of tables';
    const change = changeOf(table, other, until);
    if (typeof change === 'string') return `in the table “${other.name}” ${change}`;
    if (change.regions.length > 0 || change.reason !== null) {
      if (change.reason !== null) return `in the table “${other.name}” ${change.reason}`;
      changes.push({ nodeId: table.id, change });
    }
  }
  return changes;
}

function tablesIn(xml: string, imported: Means['imported']): ReadTable[] {
  const tables: ReadTable[] = [];
  compiledDmn(xml, { imported, onTable: (table, node) => tables.push(readTable(table, node)) });
  return tables;
}

function changeOf(before: ReadTable, after: ReadTable, until: Deadline): ChangedTable['change'] | string {
  const { hitPolicy } = before.table;
  if (JSON.stringify(before.table.outputs) === JSON.stringify(after.table.outputs) && isSameText(before, after))
    return { boxes: { dimensions: [], rows: [] }, regions: [], reason: null };
  if (!['UNIQUE', 'ANY', 'FIRST', 'PRIORITY'].includes(hitPolicy)) return 'all rules that match are collected';
  if ([...before.table.fields].some(([name, terms]) => terms !== (after.table.fields.get(name) ?? terms)))
    return 'its cells are of other types';
  for (const { table } of [before, after]) {
    const { ruling, possibleOf } = table;
    const { findings } = findingsFor(table, until, { ruling, beside: {}, possibleOf });
    if (findings.some(({ kind }) => kind === 'overlap')) return 'rules hold together, and only one may';
    if (hitPolicy === 'PRIORITY' && ruling.order === null) return 'the outputs are computed';
  }
  const budget: Budget = { comparisons, until };
  try {
    const [old, young] = jointBoxes([before.table, after.table], until) as [TableBoxes, TableBoxes];
    const textOf = ({ table }: ReadTable, row: number | null): string =>
      row === null ? '' : (table.outputs[row]?.text ?? '');
    return changeOfBoxes([inOrder(old, before), inOrder(young, after)], {
      budget,
      isSame: (one, other) => (one === null) === (other === null) && textOf(before, one) === textOf(after, other),
      possibleOf: (dimension) => intersection(before.table.possibleOf(dimension), after.table.possibleOf(dimension)),
    });
  } catch (error) {
    if (error instanceof BudgetExceeded) return 'the rules divide the inputs into too many parts';
    throw error;
  }
}

const isSameText = (before: ReadTable, after: ReadTable): boolean => before.text === after.text;

const inOrder = ({ dimensions, rows }: TableBoxes, { table: { ruling } }: ReadTable): TableBoxes => ({
  dimensions,
  rows: ruling.order?.flatMap((index) => rows[index] ?? []) ?? rows,
});

/** What a document does beside the rules of its tables. */
function skeleton(xml: string): string {
  const bare = ({ name, attributes, text, children }: Element): unknown => [
    name,
    attributes,
    text.trim(),
    children.filter((child) => child.name !== 'rule' && child.name !== 'description').map(bare),
  ];
  return JSON.stringify(bare(readDefinitions(xml).root));
}
