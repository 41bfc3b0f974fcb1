import type { ModelDifferences } from '../../../workers/models/compare/jdmDifferences.js';
import { rowWords } from '../../../workers/models/narrate/conditions.js';
import type { ChangedField, Model, ModelNode } from '../api/types.js';
import { membersOf } from '../graph/fields.js';
import { columnLines, type DifferenceLine } from './columnLines.js';
import { columnNameOf, nodeOf, pointerWords } from './pointerWords.js';
import { testLines } from './testLines.js';

/** A difference: a field, a cell or a thing that came or went. */
export interface Line extends DifferenceLine {
  readonly nodeId: string | null;
  /** What the row asks for, so that somebody knows which one it is. */
  readonly conditions?: string;
  /** What a test says, which decides nothing. */
  readonly isTest?: true;
  /** Of a row: its id, and the column of a cell; the numbers of rows are others in another model. */
  readonly place?: readonly string[];
}

/** A node as it is and as it was, as far as it is there. */
type NodesOf = (id: string | null) => readonly [after: ModelNode | undefined, before: ModelNode | undefined];

const nameIn = ([after, before]: ReturnType<NodesOf>): string | undefined => after?.name ?? before?.name;

/** Every difference but those on the canvas, rows first. @param after as far as it is known */
export function linesOf(
  { nodes, edges, rows, fields = [] }: ModelDifferences,
  { before: old, after: young }: { readonly before: Model; readonly after: Model | null },
): Line[] {
  const nodesOf: NodesOf = (id) => [young === null ? undefined : nodeOf(young, id), nodeOf(old, id)];
  const nodeLines = nodes
    .filter(({ change }) => change !== 'moved')
    .flatMap(({ id, change, fields: own }): Line[] => {
      const [after, before] = nodesOf(id);
      return change === 'changed'
        ? own.flatMap((field): Line[] => {
            // How numbers were written, and in what unit, by which the desk reads others of the column, changes nothing of the model.
            if (/\/_(?:commas|texts|unit)$/.test(field.pointer)) return [];
            const list = /^\/content\/(inputs|outputs)$/.exec(field.pointer)?.[1];
            if (list === 'inputs' || list === 'outputs')
              return columnLines(list, field.before, field.after).map((line) => ({ nodeId: id, ...line }));
            const holder = field.after === undefined ? before : (after ?? before);
            return [fieldLine(id, field, pointerWords(holder, field.pointer))];
          })
        : [{ nodeId: id, where: 'the node', change, before: undefined, after: undefined }];
    });
  const edgeLines = edges
    .filter(({ change }) => change !== 'moved')
    .map(({ change, source, target }): Line => {
      const where = `edge to ${nameIn(nodesOf(target)) ?? target ?? '?'}`;
      return { nodeId: source, where, change, before: undefined, after: undefined };
    });
  const ofTests = young === null ? [] : fields.filter(({ pointer }) => /^\/?tests(\/|$)/.test(pointer));
  const tests = ofTests.length === 0 ? [] : testLines(old.tests, young?.tests);
  const modelLines = [
    ...fields
      .filter((field) => !ofTests.includes(field))
      .map((field) => fieldLine(null, field, pointerWords(young ?? old, field.pointer))),
    ...tests.map((line): Line => ({ nodeId: null, isTest: true, ...line })),
  ];
  return [...rows.flatMap((row) => rowLines(row, nodesOf(row.nodeId))), ...nodeLines, ...edgeLines, ...modelLines];
}

const fieldLine = (nodeId: string | null, { before, after }: ChangedField, where: string): Line => ({
  nodeId,
  where,
  change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
  before,
  after,
});

function rowLines(
  { nodeId, ruleId, change, moved, position, cells }: ModelDifferences['rows'][number],
  nodes: ReturnType<NodesOf>,
): Line[] {
  const at = position.to ?? position.from ?? 0;
  const where = `row ${at + 1}`;
  const row = ruleId ?? where;
  const [after, before] = nodes;
  // By now another row stands where one was removed.
  const isOld = change === 'removed' || after === undefined;
  const conditions = isOld
    ? rowWords(membersOf(before?.content), position.from)
    : rowWords(membersOf(after.content), position.to);
  const place: Line = {
    ...{ nodeId, where, conditions, change: 'moved', place: [row] },
    ...{ before: rowNumber(position.from), after: rowNumber(position.to) },
  };
  const filled = cells.filter(({ before = '', after = '' }) => before !== '' || after !== '');
  // A row that came or went is one difference, however many cells it has.
  if (change === 'added' || change === 'removed') {
    const side = change === 'added' ? 'after' : 'before';
    const cellsOf = Object.fromEntries(filled.map((cell) => [columnNameOf(nodes, cell.column), cell[side]]));
    return [{ nodeId, where, conditions, change, place: [row], before: undefined, after: undefined, [side]: cellsOf }];
  }
  const lines = filled.map(({ column, before, after }) => ({
    nodeId,
    where: `${where}, ${columnNameOf(nodes, column)}`,
    place: [row, column],
    conditions,
    change,
    before,
    after,
  }));
  return change === 'moved' || moved === true ? [place, ...lines] : lines;
}

const rowNumber = (at: number | null): string => (at === null ? '' : `row ${at + 1}`);

/** What another model has at the place of a line, or of the row that the line is of. */
export function sameIn(mine: readonly Line[], { nodeId, where, place }: Line): Line | undefined {
  const own = mine.filter((line) => line.nodeId === nodeId);
  if (place === undefined) return own.find((line) => line.where === where);
  const [row, column] = place;
  return (
    own.find((line) => line.place?.[0] === row && line.place?.[1] === column) ??
    own.find((line) => line.place?.[0] === row && line.change === 'removed')
  );
}

/** The lines that are not among the others. One is the same wherever its row stands, and whatever else the row has. */
export function linesBeside(lines: readonly Line[], others: readonly Line[]): Line[] {
  const told = ({ nodeId, where, place = [where], change, before, after }: Line): string =>
    JSON.stringify([nodeId, place, change, before, after]);
  const known = new Set(others.map(told));
  return lines.filter((line) => !known.has(told(line)));
}
