import { useMemo, useRef } from 'preact/hooks';
import type { Model, ModelEdge, ModelNode } from '../api/types.js';
import { toggled } from '../parts/entries.js';
import { Failure } from '../parts/failure.js';
import { follow } from '../parts/follow.js';
import { Button } from '../parts/small.js';
import { boundsOf, edgePath, nodeHeight, nodeWidth, type Point } from './geometry.js';
import type { DrawnGraphProps, GraphProps } from './graphProps.js';
import { EdgeLine, GraphNode, type GraphEvents, type NodeState } from './graphParts.js';
import { Minimap, minimapFrom } from './minimap.js';
import { heightOf, portOf, type Port } from './ports.js';
import { useDragging } from './useDragging.js';
import { usePositions } from './usePositions.js';
import { useView } from './useView.js';
import type { Way } from './way.js';

/** A model as its author drew it. Each node is a button; arrow keys lead to the nearest one in a direction. */
export function Graph(props: GraphProps) {
  const { positions, failure } = usePositions(props.model);
  if (failure !== null) return <Failure error={failure} />;
  return positions === null ? <div class="graph" /> : <DrawnGraph {...props} positions={positions} />;
}

const step = 16;
const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
};

/** Around the nodes that are seen. */
const margin = 24;
const none: ReadonlySet<string> = new Set();

/**
 * The same where every node has its place, and may be moved: nodes are dragged, and connected from the dot at their right; by
 * keys, Shift with an arrow moves what is selected.
 */
export function DrawnGraph(props: DrawnGraphProps) {
  const { model, label, editing, way, chosen } = props;
  const box = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => boundsOf(props.positions, marginOf(model)), [props.positions, model]);
  const view = useView(box, nodes, editing?.onLook);
  const { bounds } = view;
  const dragging = useDragging({ ...props, box, scale: view.scale, origin: bounds });
  const { positions, line } = dragging;
  const latest = useRef({ ...props, dragging });
  latest.current = { ...props, dragging };
  const events = useMemo(() => eventsOf(latest), []);
  const edges = useMemo(() => namedEdges(model), [model]);
  const selected = editing?.selected ?? none;
  const past = [...positions.values()];
  const pathOf = ({ sourceId, targetId }: ModelEdge, { y: below, label }: Port): string | undefined => {
    const [from, to] = [positions.get(sourceId), positions.get(targetId)];
    return (
      from && to && edgePath(from, to, { below, isNamed: label !== '', isUpright: model.document !== undefined, past })
    );
  };
  return (
    <div class={`graph${editing === undefined ? '' : ' editable'}`}>
      <div
        class="graph-box"
        ref={box}
        onPointerDown={(event) => {
          if (editing !== undefined && event.shiftKey) dragging.beginFrame(event);
          else if (event.target instanceof Element && event.target.closest('.node, .wide') === null) {
            if (selected.size > 0) editing?.onSelect(none);
            dragToScroll(event, box.current);
          }
        }}
        onKeyDown={(event) => {
          if (editing === undefined || !(event.ctrlKey || event.metaKey) || event.key !== 'a') return;
          event.preventDefault();
          editing.onSelect(new Set(model.nodes.map(({ id }) => id)));
        }}
      >
        <svg
          role="group"
          aria-label={label}
          width={bounds.width * view.scale}
          height={bounds.height * view.scale}
          viewBox={`${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`}
        >
          <g class="edges">
            {edges.map(({ edge, name, port }) => (
              <EdgeLine
                key={edge.id}
                edge={edge}
                name={name}
                path={pathOf(edge, port)}
                ran={way?.edges.has(edge.id) ?? false}
                change={props.changes?.get(edge.id)}
                isSelected={selected.has(edge.id)}
                isEdited={editing !== undefined}
                events={events}
              />
            ))}
          </g>
          {model.nodes.map((node) => (
            <GraphNode
              key={node.id}
              node={node}
              position={positions.get(node.id)}
              state={stateOf(way, node.id)}
              fault={props.faulty?.get(node.id)}
              change={props.changes?.get(node.id)}
              isMissed={props.missed?.has(node.id) ?? false}
              summary={way?.summaries.get(node.id)}
              isSelected={selected.has(node.id) || chosen === node.id}
              room={node.type === 'switchNode' ? roomBeside(node, positions) : nodeWidth}
              isEdited={editing !== undefined}
              events={events}
            />
          ))}
          {line !== null && (
            <path
              class="new-edge"
              d={edgePath(line.from, { x: line.to.x, y: line.to.y - nodeHeight / 2 }, { below: line.below })}
            />
          )}
          {dragging.frame !== null && <rect class="frame" {...dragging.frame} />}
        </svg>
      </div>
      {editing !== undefined && model.nodes.length >= minimapFrom && (
        <Minimap {...{ box, positions, bounds }} scale={view.scale} />
      )}
      <div class="graph-tools" role="group" aria-label="Size of the graph">
        {editing !== undefined && (
          <>
            <Button
              name="Tidy up"
              onClick={() => {
                view.hold();
                editing.onTidy();
              }}
            />
            <Button name="Delete selected" disabled={selected.size === 0} onClick={() => editing.onDelete(selected)} />
          </>
        )}
        <Button name="−" aria-label="Smaller" onClick={view.smaller} />
        <Button name="Fit" onClick={view.fit} />
        <Button name="+" aria-label="Larger" onClick={view.larger} />
      </div>
    </div>
  );
}

/** Around the nodes, of which some are higher than their places say. */
const marginOf = ({ nodes }: Pick<Model, 'nodes'>): number =>
  margin + nodes.reduce((most, node) => Math.max(most, (heightOf(node) - nodeHeight) / 2), 0);

/** From a node to the nearest one that stands to the right of it. */
function roomBeside(node: ModelNode, positions: ReadonlyMap<string, Point>): number {
  const own = positions.get(node.id);
  if (own === undefined) return 0;
  const reach = (heightOf(node) + nodeHeight) / 2;
  const rights = [...positions.values()].filter(({ x, y }) => x > own.x && Math.abs(y - own.y) < reach);
  return rights.reduce((least, { x }) => Math.min(least, x - own.x - nodeWidth), Infinity);
}

type Latest = DrawnGraphProps & { readonly dragging: ReturnType<typeof useDragging> };

/** What the mouse and keys do at nodes and edges, as the graph is by then. */
const eventsOf = (latest: { readonly current: Latest }): GraphEvents => ({
  onClick(event, id) {
    const { editing, onOpen, dragging } = latest.current;
    if (dragging.wasDragged()) return;
    if (editing !== undefined && (event.shiftKey || event.ctrlKey || event.metaKey))
      editing.onSelect(toggled(editing.selected, id));
    else onOpen(id);
  },
  onKeyDown: (event, id) => nodeKey(event, id, latest.current),
  onPointerDown: (event, id) => latest.current.dragging.begin(event, id),
  onPort: (event, id, port) => latest.current.dragging.beginLine(event, id, port),
  onEdge: (id) => latest.current.editing?.onSelect(new Set([id])),
  onDeleteEdge: (id) => latest.current.editing?.onDelete(new Set([id])),
});

/** @returns whether the key was one of the node's */
function nodeKey(event: KeyboardEvent, id: string, { editing, positions, onOpen }: Latest): boolean {
  if (event.key === 'Enter' || (event.key === ' ' && editing === undefined)) {
    onOpen(id);
    return true;
  }
  if (editing === undefined) return false;
  const by = directions[event.key];
  const ids = editing.selected.has(id) ? editing.selected : new Set([id]);
  if (event.shiftKey && by !== undefined) {
    editing.onMove(
      new Map(
        [...ids].flatMap((each) => {
          const position = positions.get(each);
          return position === undefined ? [] : [[each, { x: position.x + by.x, y: position.y + by.y }] as const];
        }),
      ),
    );
  } else if (event.key === 'Delete' || event.key === 'Backspace') editing.onDelete(ids);
  else if (event.key === ' ') editing.onSelect(toggled(editing.selected, id));
  else return false;
  return true;
}

function stateOf(way: Way | null | undefined, id: string): NodeState {
  if (way === null || way === undefined) return undefined;
  if (way.failed.has(id)) return 'failed';
  return way.nodes.has(id) ? 'ran' : 'not-ran';
}

/** Each edge with what it is called, and where it begins. */
function namedEdges({ nodes, edges }: Model) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.map((edge) => {
    const from = byId.get(edge.sourceId);
    return {
      edge,
      name: `${from?.name ?? '?'} → ${byId.get(edge.targetId)?.name ?? '?'}`,
      port: portOf(from, edge),
    };
  });
}

/** With the mouse the ground is dragged; fingers scroll by themselves. */
function dragToScroll(event: PointerEvent, box: HTMLElement | null): void {
  if (box === null || event.pointerType !== 'mouse' || event.button !== 0) return;
  follow(({ movementX, movementY }) => box.scrollBy(-movementX, -movementY));
}
