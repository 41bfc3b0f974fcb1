import type { ComponentChildren } from 'preact';
import type { ModelDifferences } from '../../../workers/models/compare/jdmDifferences.js';
import { rowWords } from '../../../workers/models/narrate/conditions.js';
import type { ChangedField, Differences, Model, ModelNode } from '../api/types.js';
import { membersOf } from '../graph/fields.js';
import { Button, count, Section } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { ValuesLine } from '../parts/values.js';
import { columnLines, type DifferenceLine } from './columnLines.js';
import { columnNameOf, nodeOf, pointerWords } from './pointerWords.js';
import { testLines } from './testLines.js';

interface DifferenceListProps {
  readonly differences: Differences;
  readonly before: Model;
  readonly after: Model;
  /** Decisions that they run differ, whose nodes are not among these. */
  readonly isOfOwn: boolean;
  readonly onChoose: (node: string) => void;
}

/** One line of the list: a field, a cell or a thing that came or went. */
interface Line extends DifferenceLine {
  readonly nodeId: string | null;
  /** What the row asks for, so that somebody knows which one it is. */
  readonly conditions?: string;
  /** Of a row: its id, and the column of a cell; the numbers of rows are others in another model. */
  readonly place?: readonly string[];
}

/** Every difference in words; what changes no result (a place on the canvas) comes last. */
export function DifferenceList({ differences, before: old, after: young, isOfOwn, onChoose }: DifferenceListProps) {
  const nodesOf: NodesOf = (id) => [nodeOf(young, id), nodeOf(old, id)];
  const lines = linesOf(differences, { before: old, after: young });
  const moved = differences.nodes.filter(({ change }) => change === 'moved').length;
  if (lines.length === 0) {
    const they = isOfOwn ? 'Their own nodes' : 'They';
    return (
      <p class="empty">
        {they} {moved === 0 ? 'are the same.' : 'differ in places on the canvas alone.'}
      </p>
    );
  }
  return (
    <Section label="Differences" title={count(lines.length, 'difference')}>
      <DifferenceTable
        lines={lines}
        nodeOf={(nodeId) => (
          <Button name={nameIn(nodesOf(nodeId)) ?? nodeId} class="quiet" onClick={() => onChoose(nodeId)} />
        )}
      />
      {moved > 0 && <p class="soft small">{count(moved, 'node')} moved on the canvas, which changes no result.</p>}
    </Section>
  );
}

interface DifferenceTableProps {
  readonly label?: string;
  readonly lines: readonly Line[];
  readonly most?: number;
  /** What stands for the node of a line; without it the lines are all of one node. */
  readonly nodeOf?: (nodeId: string) => ComponentChildren;
  /** What another model has in place of what is to be, to stand beside it. */
  readonly mine?: readonly Line[];
}

/** Lines of differences, each with what was and what is to be. */
export function DifferenceTable({ label = 'Differences', lines, most, nodeOf: shown, mine }: DifferenceTableProps) {
  const columns: readonly Column<Line>[] = [
    ...(shown === undefined
      ? []
      : ([['Node', ({ nodeId }) => nodeId !== null && shown(nodeId), 'narrow']] satisfies Column<Line>[])),
    [
      'Where',
      ({ where, conditions = '' }) => (
        <>
          {where}
          {conditions !== '' && <div class="soft small">{conditions}</div>}
        </>
      ),
      'wrapped where',
    ],
    ['Change', ({ change }) => <span class={`mark ${colours[change]}`}>{change}</span>, 'narrow'],
    ['Before', ({ before }) => <Value value={before} />, 'wrapped'],
    ['After', ({ after }) => <Value value={after} />, 'wrapped'],
    ...(mine === undefined
      ? []
      : ([['Mine', (line) => <Mine of={sameIn(mine, line)} />, 'wrapped']] satisfies Column<Line>[])),
  ];
  return <Table {...{ label, columns, most }} rows={lines} />;
}

/** What another model has at the place of a line, or of the row that the line is of. */
function sameIn(mine: readonly Line[], { nodeId, where, place }: Line): Line | undefined {
  const own = mine.filter((line) => line.nodeId === nodeId);
  if (place === undefined) return own.find((line) => line.where === where);
  const [row, column] = place;
  return (
    own.find((line) => line.place?.[0] === row && line.place?.[1] === column) ??
    own.find((line) => line.place?.[0] === row && line.change === 'removed')
  );
}

const Mine = ({ of }: { readonly of: Line | undefined }) =>
  of?.change === 'removed' ? <span class="mark bad">removed</span> : <Value value={of?.after} />;

const colours: Readonly<Record<Line['change'], string>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
  moved: 'warn',
};

/** A value as it is read: what has parts as fields and values, a text in the face of code. */
function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return null;
  if (typeof value === 'object' && value !== null) return <ValuesLine value={value} />;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return <code title={text.slice(0, 2000)}>{text.length > 300 ? `${text.slice(0, 300)}…` : text}</code>;
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
    ...tests.map((line): Line => ({ nodeId: null, ...line })),
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
