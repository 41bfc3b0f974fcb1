import { useMemo } from 'preact/hooks';
import type { Dependency, Fault, ModelNode, NodeTrace } from '../../api/types.js';
import { isObject, rowsOf, ruleIdOf, textOf } from '../../graph/fields.js';
import { chosenStatements, matchedRows } from '../../graph/way.js';
import type { CellMark } from '../grid/gridRow.js';
import { marksOf, textFaultsOf, type Marks } from '../marks.js';
import type { Word } from '../text/word.js';
import { CalledDecision } from './calledDecision.js';
import { NodeEditor } from './nodeEditor.js';
import { PinnedDecision, type DrawInner } from './pinnedDecision.js';

interface NodeTextProps {
  readonly node: ModelNode;
  /** Its index among the model's nodes. */
  readonly at: number;
  readonly trace: NodeTrace | undefined;
  readonly faults: readonly Fault[];
  /** Rows or statements that no test reaches. */
  readonly missed: ReadonlySet<string> | undefined;
  readonly dependencies: readonly Dependency[];
  /** The version that the node is of, 0 for the working copy, and its decision. */
  readonly of: { readonly decisionId: string; readonly version: number };
  /** Draws what a saved version runs of another decision. */
  readonly draw: DrawInner;
}

/** What a node says, to be read: in the desk's own editor, with what a run did and what no test reaches. */
export function NodeText({ node, at, trace, faults, missed, ...others }: NodeTextProps) {
  const matched = useMemo(() => rowsRun(node, trace), [node, trace]);
  const marks = useMemo(() => withMissed(marksOf(node, at, faults, []), node, missed), [node, at, faults, missed]);
  const textFaults = useMemo(() => textFaultsOf(node, faults), [node, faults]);
  if (node.type === 'decisionNode') return <Called {...{ node, trace, ...others }} />;
  return (
    <div class="node-text">
      <NodeEditor
        {...{ node, matched, marks }}
        isReadOnly
        faults={textFaults}
        sought={null}
        words={noWords}
        onContent={ignored}
        onAbandon={ignored}
      />
    </div>
  );
}

// Nothing is written here.
const noWords = (): readonly Word[] => [];
const ignored = (): void => undefined;

/** The rows that a run matched; of a switch, the conditions that it chose. */
function rowsRun({ type, content }: ModelNode, trace: NodeTrace | undefined): ReadonlySet<number> {
  if (type !== 'switchNode') return matchedRows(trace);
  const chosen = chosenStatements(trace);
  const statements = rowsOf(content, 'statements');
  return new Set(statements.flatMap((statement, at) => (chosen.has(textOf(statement['id'])) ? [at] : [])));
}

const untested: CellMark = { severity: 'warning', message: 'not tested', line: null, column: null };

function withMissed(marks: Marks, { type, content }: ModelNode, missed: ReadonlySet<string> | undefined): Marks {
  if (missed === undefined) return marks;
  const rows = rowsOf(content, type === 'switchNode' ? 'statements' : 'rules');
  const found = rows.flatMap((row, at) => (missed.has(ruleIdOf(row, at)) ? [at] : []));
  return new Map([
    ...marks,
    ...found.map((at) => [at, new Map([...(marks.get(at) ?? []), ['', [untested]] as const])] as const),
  ]);
}

/** Names of sub-decisions are relative to the model's own key, so that only their ends tell which is meant. */
function Called({
  node: { content },
  trace,
  dependencies,
  of,
  draw,
}: Pick<NodeTextProps, 'node' | 'trace' | 'dependencies' | 'of' | 'draw'>) {
  const named = isObject(content) ? textOf(content['key']) : '';
  const bare = named.replace(/^(\.{1,2}\/)+/, '');
  const found =
    dependencies.find(({ key, decisionId }) => key === bare || decisionId === named) ??
    dependencies.find(({ key }) => key.endsWith(`/${bare}`));
  if (found !== undefined) {
    return of.version === 0 ? (
      <CalledDecision called={found} version={0} />
    ) : (
      <PinnedDecision called={found} {...{ of, trace, draw }} />
    );
  }
  return (
    <p>
      Runs <code>{named}</code>
    </p>
  );
}
