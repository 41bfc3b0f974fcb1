import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ModelEdge, ModelNode } from '../api/types.js';
import { connected, withPositions, withoutEdges, withoutNodes } from '../editor/modelEdits.js';
import { cellsOf } from '../editor/grid/transfer.js';
import type { Cells } from '../editor/grid/clipboard.js';
import { newNode, pastedTable, type NodeType } from '../editor/newNode.js';
import { sheetOf } from '../editor/sheet.js';
import { layOut, nodeHeight, nodeWidth, wayWidth, type Point } from '../graph/geometry.js';
import { heightOf } from '../graph/ports.js';
import { freePosition, withRoomFor } from '../graph/room.js';
import { DrawnGraph, Graph } from '../graph/graph.js';
import { usePositions } from '../graph/usePositions.js';
import type { Way } from '../graph/way.js';
import { Failure, lazy } from '../parts/failure.js';
import { useListener } from '../parts/useListener.js';
import {
  GraphForm,
  insertedNode,
  link,
  startsOf,
  usePalette,
  isEmpty,
  wayTo,
  withinEdge,
  type Start,
  type WayTo,
} from './graphForm.js';
import { FirstStep } from './firstStep.js';
import type { Draft } from './useDraft.js';

const PasteDialog = lazy(async () => (await import('./dialogParts.js')).PasteDialog);

interface GraphPaneProps {
  readonly draft: Draft;
  readonly way: Way | null;
  readonly faulty: ReadonlyMap<string, 'error' | 'warning'>;
  /** The node that was open before: who comes back goes on from it. */
  readonly from: string | null;
  readonly onOpen: (id: string) => void;
  /** Where it fills the screen, what is not seen of the desk. */
  readonly tools: ComponentChildren;
}

const gap = 64;
const none: ReadonlyMap<string, Point> = new Map();

/** The graph of the draft, and the form by which it is changed without a mouse. */
export function GraphPane({ draft, way, faulty, from, onOpen, tools }: GraphPaneProps) {
  const { model, edit } = draft;
  const { positions, failure } = usePositions(model, true);
  const pane = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(from === null ? [] : [from]));
  const middle = useRef<Point>({ x: 0, y: 0 });
  const connect = (start: Start, targetId: string): void => edit((before) => connected(before, link(start, targetId)));
  /** Where a node comes that is put into an edge, and what makes room for it. */
  const roomAt = ({ id, type }: ModelNode, at: Point, edge: ModelEdge | undefined) => {
    const others = new Map([...(positions ?? [])].filter(([other]) => other !== id));
    const [from, to] = [others.get(edge?.sourceId ?? ''), others.get(edge?.targetId ?? '')];
    return from === undefined || to === undefined
      ? { position: freePosition(at, [...others.values()]), moved: none }
      : withRoomFor(at, [from, to], others, type === 'switchNode' ? wayWidth : 0);
  };
  const insert = (id: string, edgeId: string): void => {
    const edge = model.edges.find((each) => each.id === edgeId);
    const node = model.nodes.find((each) => each.id === id);
    const isFree = model.edges.every(({ sourceId, targetId }) => sourceId !== id && targetId !== id);
    if (edge === undefined || node === undefined || !isFree || startsOf(node).length === 0) return;
    const { position, moved } = roomAt(node, node.position ?? { x: 0, y: 0 }, edge);
    edit((present) => withPositions(withinEdge(present, node, edge), new Map([...moved, [id, position]])));
  };
  const focus = (id: string): void => {
    const drawn = pane.current?.querySelector<SVGElement>(`[data-node="${id}"]`);
    drawn?.focus({ preventScroll: true });
    drawn?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  useEffect(() => {
    if (positions !== null && from !== null) focus(from);
  }, [positions === null]);
  /** A node that is not drawn yet, and is to be in sight then. */
  const added = useRef<string | null>(null);
  useEffect(() => {
    if (added.current === null || positions?.has(added.current) !== true) return;
    focus(added.current);
    added.current = null;
  }, [positions]);
  const put = (node: ModelNode, way: WayTo, at: Point): void => {
    const { position, moved } = roomAt(node, at, way.edge);
    edit((present) => {
      const next = insertedNode(present, { ...node, position }, way);
      return withPositions(next, new Map([...moved, [node.id, position]]));
    });
    setSelected(new Set([node.id]));
    added.current = node.id;
  };
  const add = (node: ModelNode, type: NodeType): void => {
    const way = wayTo(model, selected, type);
    const beside = positions?.get(way.before?.sourceId ?? '');
    // Beside a way of a switch stands what it is called.
    const besideIt = nodeWidth + gap + (way.before?.sourceHandle ? wayWidth : 0);
    const start = beside === undefined ? middle.current : { x: beside.x + besideIt, y: beside.y };
    put(node, way, start);
  };
  const begin = (type: NodeType): void => {
    const node = newNode(type, model.nodes);
    add(node, type);
    onOpen(node.id);
  };
  const palette = usePalette((type, at, edgeId) =>
    put(newNode(type, model.nodes), wayTo(model, new Set(edgeId === undefined ? [] : [edgeId]), type), at),
  );
  const [pasted, setPasted] = useState<Pasted | null>(null);
  useListener('paste', (event) => {
    const cells = model.document === undefined ? cellsPasted(event) : null;
    if (cells === null) return;
    event.preventDefault();
    setPasted({ cells, node: pastedTable(model.nodes) });
  });
  const remove = (ids: ReadonlySet<string>): void => {
    edit((before) => withoutEdges(withoutNodes(before, ids), ids));
    setSelected(new Set());
  };
  // What requires what is drawn in one's modeler, and imported.
  if (model.document !== undefined) {
    return (
      <div class="graph-pane" ref={pane}>
        <p class="soft small">
          Tables are changed here, the rest in a DMN modeler: “Replace”, on the decision’s page, brings the file back.
        </p>
        <div class="actions">{tools}</div>
        <Graph {...{ model, way, faulty, onOpen }} label="Graph" chosen={from} />
      </div>
    );
  }
  return (
    <div class="graph-pane" ref={pane}>
      <GraphForm
        model={model}
        onAdd={(type) => add(newNode(type, model.nodes), type)}
        onDrag={palette.begin}
        onConnect={connect}
        onDisconnect={(id) => remove(new Set([id]))}
      >
        {tools}
      </GraphForm>
      {palette.ghost}
      {isEmpty(model) && <FirstStep onBegin={begin} />}
      <Failure error={failure} />
      {pasted !== null && (
        <NewTable
          {...pasted}
          onClose={() => setPasted(null)}
          onTable={(node) => {
            add(node, 'decisionTableNode');
            onOpen(node.id);
          }}
        />
      )}
      {positions !== null && (
        <DrawnGraph
          {...{ model, positions, way, faulty, onOpen }}
          label="Graph"
          editing={{
            selected,
            onSelect: setSelected,
            // Who moves one node of a model without positions arranges all of them.
            onMove: (moved) =>
              edit((before) => withPositions(before, new Map([...withoutPosition(before.nodes, positions), ...moved]))),
            onConnect: connect,
            onInsert: insert,
            onDelete: remove,
            onTidy: () =>
              void layOut(model.nodes, model.edges, heightOf).then((tidy) =>
                edit((before) => withPositions(before, tidy)),
              ),
            onLook: (point) => {
              middle.current = { x: point.x - nodeWidth / 2, y: point.y - nodeHeight / 2 };
            },
          }}
        />
      )}
    </div>
  );
}

interface Pasted {
  readonly cells: Cells;
  /** The table that they are to be in. */
  readonly node: ModelNode;
}

/** Asks which columns are to be made of a sheet that was pasted, as the paste into a table does. */
function NewTable({
  cells,
  node,
  onTable,
  onClose,
}: Pasted & { onTable: (node: ModelNode) => void; onClose: () => void }) {
  const sheet = sheetOf(node);
  if (sheet === undefined) return null;
  return (
    <PasteDialog
      paste={{ cells, top: 0, left: 0 }}
      {...{ sheet, onClose }}
      onContent={(next) => onTable({ ...node, content: next })}
    />
  );
}

/** A sheet on the clipboard of somebody who writes nowhere; null for anything else. */
function cellsPasted({ target, clipboardData }: ClipboardEvent): Cells | null {
  const isWriting = target instanceof Element && target.closest('input, textarea, select, dialog, .code-text') !== null;
  if (isWriting || clipboardData === null) return null;
  const cells = cellsOf({ html: clipboardData.getData('text/html'), plain: clipboardData.getData('text/plain') });
  return cells !== null && cells.length > 1 && cells.some((row) => row.length > 1) ? cells : null;
}

const withoutPosition = (nodes: Draft['model']['nodes'], positions: ReadonlyMap<string, Point>): [string, Point][] =>
  nodes.flatMap(({ id, position }) => {
    const found = positions.get(id);
    return !position && found !== undefined ? [[id, found]] : [];
  });
