import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Model, ModelEdge, ModelNode } from '../api/types.js';
import { nodeTypes, type NodeType } from '../editor/newNode.js';
import { kindName } from '../graph/kinds.js';
import { portOf, portsOf } from '../graph/ports.js';
import { Choice, sent } from '../parts/entries.js';
import { Button } from '../parts/small.js';
import { nodeHeight, nodeWidth, type Point } from '../graph/geometry.js';
import { edgeAt, leastMove } from '../graph/useDragging.js';
import { follow } from '../parts/follow.js';
import { newId } from '../editor/ids.js';
import { withNode, withoutEdges } from '../editor/modelEdits.js';

interface GraphFormProps {
  readonly model: Model;
  readonly onAdd: (type: NodeType) => void;
  /** A kind is dragged out of the palette. */
  readonly onDrag: (type: NodeType, event: PointerEvent) => void;
  readonly onConnect: (start: Start, targetId: string) => void;
  readonly onDisconnect: (edgeId: string) => void;
  /** Beside it. */
  readonly children?: ComponentChildren;
}

/** A palette of nodes, to be dragged into the graph or pressed; and a form that connects them, for those who drag nothing. */
export function GraphForm({ model, onAdd, onDrag, onConnect, onDisconnect, children }: GraphFormProps) {
  // A model has one request.
  const offered = nodeTypes.filter((each) => each !== 'inputNode' || !model.nodes.some((node) => node.type === each));
  return (
    <div class="actions">
      <span class="palette" role="group" aria-label="New node">
        {offered.map((each) => (
          <Button
            key={each}
            name={kindName(each)}
            aria-label={`Add ${kindName(each)}`}
            title="Drag it into the graph or onto a line; or press it"
            onPointerDown={(event) => onDrag(each, event)}
            onClick={() => onAdd(each)}
          />
        ))}
      </span>
      <span class="soft small">Or paste a sheet (Ctrl+V).</span>
      <ConnectForm model={model} onConnect={onConnect} onDisconnect={onDisconnect} />
      {children}
    </div>
  );
}

/** Where an edge begins: at a node, or at one of a switch's conditions. */
export type Start = Pick<ModelEdge, 'sourceId' | 'sourceHandle'>;

function ConnectForm({ model, onConnect, onDisconnect }: Omit<GraphFormProps, 'onAdd' | 'onDrag'>) {
  const [from, setFrom] = useState(0);
  const [to, setTo] = useState('');
  const starts = model.nodes.filter(({ type }) => type !== 'outputNode').flatMap(startsOf);
  const start = starts[from] ?? starts[0];
  const taken = model.edges.filter(
    ({ sourceId, sourceHandle }) =>
      sourceId === start?.sourceId && (sourceHandle ?? undefined) === (start.sourceHandle ?? undefined),
  );
  const ends = model.nodes.filter(({ id, type }) => type !== 'inputNode' && id !== start?.sourceId);
  const end =
    ends.find(({ id }) => id === to) ??
    ends.find(({ id }) => !taken.some(({ targetId }) => targetId === id)) ??
    ends[0];
  const present = taken.find(({ targetId }) => targetId === end?.id);
  return (
    <form
      class="actions"
      aria-label="Connect"
      onSubmit={sent(() => {
        if (present !== undefined) onDisconnect(present.id);
        else if (start !== undefined && end !== undefined) onConnect(start, end.id);
      })}
    >
      <Choice
        name="From"
        value={from}
        options={starts.map(({ name }, index) => [index, name])}
        onChange={setFrom}
        isInline
      />
      <Choice
        name="To"
        value={end?.id ?? ''}
        options={ends.map(({ id, name }) => [id, name])}
        onChange={setTo}
        isInline
      />
      <button disabled={end === undefined}>{present === undefined ? 'Connect' : 'Disconnect'}</button>
    </form>
  );
}

export const startsOf = (node: ModelNode): readonly (Start & { readonly name: string })[] =>
  portsOf(node).map(({ handle, label }) => ({
    ...{ sourceId: node.id, sourceHandle: handle ?? null },
    name: label === '' ? node.name : `${node.name}: ${label}`,
  }));

/** Drags a node out of the palette. @param onDrop is told where its corner comes in the graph, and the edge that it was put on */
export function usePalette(onDrop: (type: NodeType, at: Point, edgeId: string | undefined) => void) {
  const [dragged, setDragged] = useState<(Point & { readonly type: NodeType }) | null>(null);
  return {
    begin: (type: NodeType, down: PointerEvent): void => {
      if (down.button !== 0) return;
      follow(
        ({ clientX: x, clientY: y }) => {
          if (Math.hypot(x - down.clientX, y - down.clientY) >= leastMove) setDragged({ type, x, y });
        },
        ({ clientX, clientY }) => {
          setDragged(null);
          const drawn = document.elementsFromPoint(clientX, clientY).find((element) => element.closest('.graph-box'));
          const inverse = drawn?.closest('.graph-box')?.querySelector('svg')?.getScreenCTM()?.inverse();
          if (inverse === undefined) return;
          const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(inverse);
          onDrop(type, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }, edgeAt(clientX, clientY));
        },
      );
    },
    ghost: dragged !== null && (
      <div class="ghost" style={{ left: `${dragged.x}px`, top: `${dragged.y}px` }}>
        {kindName(dragged.type)}
      </div>
    ),
  };
}

/** Where a new node comes into the graph. */
export interface WayTo {
  /** What it follows; undefined for a node that stands alone. */
  readonly before: Start | undefined;
  /** The edge that it is put into. */
  readonly edge: ModelEdge | undefined;
}

/**
 * A new node goes into the selected edge, or behind the selected node: by the first way of a switch that leads nowhere yet. Where
 * all that leads out is one edge, the node goes into it, so that nothing is cut off. The first node of an empty model goes
 * between request and response.
 */
export function wayTo({ nodes, edges }: Model, selected: ReadonlySet<string>, type: NodeType): WayTo {
  if (type === 'inputNode') return { before: undefined, edge: undefined };
  const isEnd = type === 'outputNode';
  const chosen = edges.find(({ id }) => selected.has(id));
  if (chosen !== undefined && !isEnd) return { before: chosen, edge: chosen };
  const [only, ...others] = edges;
  if (only !== undefined && others.length === 0 && isEmpty({ nodes }) && selected.size === 0 && !isEnd)
    return { before: only, edge: only };
  const node = nodes.find(({ id, type }) => selected.has(id) && type !== 'outputNode');
  const starts = node === undefined ? [] : startsOf(node);
  const out = edges.filter(({ sourceId }) => sourceId === node?.id);
  const used = out.map((edge) => portOf(node, edge).handle ?? null);
  const free = starts.find(({ sourceHandle = null }) => !used.includes(sourceHandle));
  if (free !== undefined) return { before: free, edge: undefined };
  return { before: starts[0], edge: out.length === 1 && !isEnd ? out[0] : undefined };
}

const ends: readonly string[] = ['inputNode', 'outputNode'];

/** Nothing stands between its request and its response yet. */
export const isEmpty = ({ nodes }: Pick<Model, 'nodes'>): boolean => nodes.every(({ type }) => ends.includes(type));

/** A new edge. */
export const link = ({ sourceId, sourceHandle = null }: Start, targetId: string): ModelEdge => ({
  ...{ id: newId(), type: 'edge', sourceId },
  ...(sourceHandle === null ? {} : { sourceHandle }),
  targetId,
});

/** With the node, and the edges to it and from it. */
export function insertedNode(model: Model, node: ModelNode, { before, edge }: WayTo): Model {
  if (before === undefined) return withNode(model, node);
  if (edge === undefined) return withNode(model, node, [link(before, node.id)]);
  return withinEdge(withNode(model, node), node, edge);
}

/** A node that is there comes into an edge: what led past it leads through it. */
export function withinEdge(model: Model, node: ModelNode, edge: ModelEdge): Model {
  const [start] = startsOf(node);
  const after = start === undefined ? [] : [link(start, edge.targetId)];
  const { edges, ...rest } = withoutEdges(model, new Set([edge.id]));
  return { ...rest, edges: [...edges, link(edge, node.id), ...after] };
}
