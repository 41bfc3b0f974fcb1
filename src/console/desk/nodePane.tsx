import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Fault, Model, ModelNode, Trace } from '../api/types.js';
import { renamed, withContent, withoutNodes } from '../editor/modelEdits.js';
import { backToGrid } from '../editor/grid/backToGrid.js';
import { withDecision } from '../editor/chosenDecision.js';
import { NodeEditor } from '../editor/nodes/nodeEditor.js';
import type { SoughtCell } from '../editor/soughtCell.js';
import { wordsOf, type KnownOfDraft } from '../editor/words.js';
import { kindName } from '../graph/kinds.js';
import { matchedRows } from '../graph/way.js';
import { movedRows } from '../model/movedFaults.js';
import { marksOf, textFaultsOf, type RowFinding } from '../editor/marks.js';
import { Dialog } from '../parts/dialog.js';
import { lazy } from '../parts/failure.js';
import { Overflow } from '../parts/menu.js';
import { Button } from '../parts/small.js';
import { TableFiles } from './tableFiles.js';
import type { Draft, Stored } from './useDraft.js';

const NodeTold = lazy(async () => (await import('./nodeTold.js')).NodeTold);

interface NodePaneProps {
  readonly draft: Draft;
  readonly node: ModelNode;
  readonly faults: readonly Fault[];
  readonly findings: readonly RowFinding[];
  readonly trace: Trace | null;
  /** What the trace is of. */
  readonly ran: Model | null;
  /** Where it fills the screen, what is not seen of the desk. */
  readonly tools: ComponentChildren;
  readonly sought: SoughtCell | null;
  readonly known: KnownOfDraft;
  readonly onKeep: () => Promise<Stored>;
  readonly onClose: () => void;
  readonly onFull: () => void;
}

/** One node, in the full height of the middle. */
export function NodePane(props: NodePaneProps) {
  const { draft, node, faults, findings, trace, ran, tools, sought, known, onKeep, onClose, onFull } = props;
  const { model, edit } = draft;
  const at = model.nodes.indexOf(node);
  const isDocument = model.document !== undefined;
  const nodeTrace = trace?.[node.id];
  const matched = useMemo(
    () => movedRows(matchedRows(nodeTrace), ran?.nodes.find(({ id }) => id === node.id)?.content, node.content),
    [nodeTrace, ran, node],
  );
  const marks = useMemo(() => marksOf(node, at, faults, findings), [node, at, faults, findings]);
  const textFaults = useMemo(() => textFaultsOf(node, faults), [node, faults]);
  const words = useMemo(() => wordsOf(model, node.id, nodeTrace?.input, known), [model, node.id, nodeTrace, known]);
  const told = findings.filter(({ nodeId, rules }) => nodeId === node.id && rules.length === 0);
  const isPassed = trace !== null && nodeTrace === undefined;
  const timing = nodeTrace === undefined ? '' : ` · ${nodeTrace.performance}`;
  const about = `${kindName(node.type)}${timing}${isPassed ? ' · not reached' : ''}`;
  const remove = (): void => {
    edit((before) => withoutNodes(before, new Set([node.id])));
    onClose();
  };
  const [isAsked, setAsked] = useState(false);
  const actions = (files: ComponentChildren) => (
    <Overflow label="More">
      {files}
      {tools === false && <Button name="Fill the screen" title="F" onClick={() => backToGrid(onFull)} />}
      {!isDocument && <Button name="Delete node" onClick={remove} />}
    </Overflow>
  );
  return (
    <section
      aria-label="Node"
      class="node-pane"
      onKeyDown={({ key, target, defaultPrevented }) => {
        // Who clicked on the node and chose no cell may mean the node.
        const isOfCell = defaultPrevented || !(target instanceof Element) || target.role !== 'gridcell';
        if ((key === 'Delete' || key === 'Backspace') && !isOfCell && !isDocument) setAsked(true);
      }}
    >
      <div class="node-line">
        <Button name="Graph" onClick={onClose} />
        <input
          aria-label="Name"
          value={node.name}
          readOnly={isDocument}
          maxLength={255}
          onInput={(event) => {
            const name = event.currentTarget.value;
            edit((before) => renamed(before, node.id, name), `name of ${node.id}`);
          }}
        />
        <span class="soft about" title={about}>
          {about}
        </span>
        <span class="actions">
          {node.type === 'decisionTableNode' ? (
            <TableFiles {...{ draft, onKeep }} nodeId={node.id}>
              {actions}
            </TableFiles>
          ) : (
            actions(null)
          )}
          {tools}
        </span>
      </div>
      {/* Also where it has nothing to say: rows that somebody points at stay where they are. */}
      <div class="told-line">
        {(nodeTrace?.error !== undefined || told.length > 0) && (
          <NodeTold {...{ node, findings: told, trace: nodeTrace, ran: ran?.nodes.find(({ id }) => id === node.id) }} />
        )}
      </div>
      {isAsked && (
        <Dialog title="Delete the node?" action="Delete node" onClose={() => setAsked(false)} onSubmit={remove}>
          <p>To empty a cell of {node.name}, choose it first.</p>
        </Dialog>
      )}
      <NodeEditor
        node={node}
        matched={matched}
        marks={marks}
        faults={textFaults}
        sought={sought}
        used={known.schema}
        trace={nodeTrace}
        usedBy={draft.stored.decision.key}
        words={(field, before) =>
          before === '' && field !== '' ? words.filter(({ kind }) => kind !== 'field') : words
        }
        onContent={(content, step) => {
          // A key that is typed is none yet: only what is chosen is a step by itself.
          const put = step === null ? withDecision : withContent;
          edit((before) => put(before, node.id, content), step);
        }}
        onAbandon={draft.abandon}
      />
    </section>
  );
}
