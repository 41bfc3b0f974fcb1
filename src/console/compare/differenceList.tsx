import type { ComponentChildren } from 'preact';
import type { Differences, Model } from '../api/types.js';
import { Button, count, Section } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { ValuesLine } from '../parts/values.js';
import { linesOf, sameIn, type Line } from './differenceLines.js';
import { nodeOf } from './pointerWords.js';

interface DifferenceListProps {
  readonly differences: Differences;
  readonly before: Model;
  readonly after: Model;
  /** Decisions that they run differ, whose nodes are not among these. */
  readonly isOfOwn: boolean;
  readonly onChoose: (node: string) => void;
}

/** Every difference in words; what changes no result (a place on the canvas) comes last. */
export function DifferenceList({ differences, before: old, after: young, isOfOwn, onChoose }: DifferenceListProps) {
  const lines = linesOf(differences, { before: old, after: young });
  const own = lines.filter(({ isTest }) => isTest !== true);
  const tests = lines.filter(({ isTest }) => isTest === true);
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
    <Section
      label="Differences"
      title={own.length > 0 ? count(own.length, 'difference') : 'What is decided is the same'}
    >
      {own.length > 0 && (
        <DifferenceTable
          lines={own}
          nodeOf={(nodeId) => (
            <Button
              name={(nodeOf(young, nodeId) ?? nodeOf(old, nodeId))?.name ?? nodeId}
              class="quiet"
              onClick={() => onChoose(nodeId)}
            />
          )}
        />
      )}
      {tests.length > 0 && (
        <details open={own.length === 0}>
          <summary class="soft">{count(tests.length, 'difference')} in tests, which change no result</summary>
          <DifferenceTable label="Differences of tests" lines={tests} />
        </details>
      )}
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
