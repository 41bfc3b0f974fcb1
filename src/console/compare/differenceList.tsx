import type { ChangedField, Differences, RowDifference } from '../api/types.js';
import { count } from '../parts/small.js';
import { VirtualRows } from '../parts/virtualRows.js';

interface DifferenceListProps {
  readonly differences: Differences;
  readonly nameOf: ReadonlyMap<string, string>;
  readonly onChoose: (node: string) => void;
}

/** One line of the list: a field, a cell or a thing that came or went. */
interface Line {
  readonly nodeId: string | null;
  readonly where: string;
  readonly change: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Every difference in words; what changes no result (a place on the canvas) comes last. */
export function DifferenceList({ differences, nameOf, onChoose }: DifferenceListProps) {
  const lines = linesOf(differences, nameOf);
  const moved = differences.nodes.filter(({ change }) => change === 'moved').length;
  if (lines.length === 0) {
    return <p class="empty">{moved === 0 ? 'They are the same.' : 'They differ in places on the canvas alone.'}</p>;
  }
  return (
    <section aria-label="Differences" class="stack">
      <h2>{count(lines.length, 'difference')}</h2>
      <VirtualRows
        label="Differences"
        rows={lines}
        columns={5}
        head={
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Where</th>
            <th scope="col">Change</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        }
        render={({ nodeId, where, change, before, after }, index) => (
          <tr key={index} aria-rowindex={index + 2}>
            <th scope="row">
              {nodeId !== null && (
                <button type="button" class="quiet" onClick={() => onChoose(nodeId)}>
                  {nameOf.get(nodeId) ?? nodeId}
                </button>
              )}
            </th>
            <td>{where}</td>
            <td>
              <span class={`mark ${colours[change] ?? ''}`}>{change}</span>
            </td>
            <Value value={before} />
            <Value value={after} />
          </tr>
        )}
      />
      {moved > 0 && <p class="soft small">{count(moved, 'node')} moved on the canvas, which changes no result.</p>}
    </section>
  );
}

const colours: Readonly<Record<string, string>> = { added: 'good', removed: 'bad', changed: 'warn', moved: 'warn' };

function Value({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return (
    <td title={text.slice(0, 2000)}>
      <code>{text.length > 300 ? `${text.slice(0, 300)}…` : text}</code>
    </td>
  );
}

function linesOf({ nodes, edges, rows, fields = [] }: Differences, nameOf: ReadonlyMap<string, string>): Line[] {
  const nodeLines = nodes
    .filter(({ change }) => change !== 'moved')
    .flatMap(({ id, change, fields: own }): Line[] =>
      change === 'changed'
        ? own.map((field) => fieldLine(id, field))
        : [{ nodeId: id, where: 'the node', change, before: undefined, after: undefined }],
    );
  const edgeLines = edges
    .filter(({ change }) => change !== 'moved')
    .map(({ change, source, target }): Line => {
      const name = (id: string | null): string => (id === null ? '?' : (nameOf.get(id) ?? id));
      return { nodeId: source, where: `edge to ${name(target)}`, change, before: undefined, after: undefined };
    });
  return [...rows.flatMap(rowLines), ...nodeLines, ...edgeLines, ...fields.map((field) => fieldLine(null, field))];
}

const fieldLine = (nodeId: string | null, { pointer, before, after }: ChangedField): Line => ({
  nodeId,
  where: pointer || 'all of it',
  change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
  before,
  after,
});

function rowLines({ nodeId, change, position, cells }: RowDifference): Line[] {
  const at = position.to ?? position.from ?? 0;
  const where = `row ${at + 1}`;
  if (change === 'moved')
    return [{ nodeId, where, change, before: rowNumber(position.from), after: rowNumber(position.to) }];
  return cells.map(({ column, before, after }) => ({ nodeId, where: `${where}, ${column}`, change, before, after }));
}

const rowNumber = (at: number | null): string => (at === null ? '' : `row ${at + 1}`);
