import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Model, ModelEdge } from '../../api/types.js';
import { edgePath, nodeHeight, type Point } from '../../graph/geometry.js';
import { dragToScroll } from '../../graph/graph.js';
import { portOf } from '../../graph/ports.js';
import { Minimap, minimapFrom } from './minimap.js';
import { EdgeLine, GraphNode, type NodeEvents } from './graphParts.js';
import { boundsOf, useDragging } from './useDragging.js';
import { useView } from './useView.js';
import type { GraphEditorProps } from './graphEditorProps.js';

const step = 16;
const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
};

/**
 * The graph of a model, to be changed: nodes are dragged and opened, and connected from the dot at their right; by keys,
 * arrows lead from node to node, Shift with them moves what is selected.
 */
export function GraphEditor(props: GraphEditorProps) {
  const { model, selected, onSelect, onOpen, onMove, onDelete, onTidy } = props;
  const box = useRef<HTMLDivElement>(null);
  const bounds = useMemo(() => boundsOf(props.positions), [props.positions]);
  const view = useView(box, bounds, props.onLook);
  const dragging = useDragging({ ...props, box, scale: view.scale, origin: bounds });
  const { positions, line } = dragging;
  const kept = useRef(bounds);
  // What grows to the left or above moves nothing that is seen.
  useLayoutEffect(() => {
    box.current?.scrollBy((kept.current.x - bounds.x) * view.scale, (kept.current.y - bounds.y) * view.scale);
    kept.current = bounds;
  }, [bounds]);
  const latest = useRef({ ...props, dragging });
  latest.current = { ...props, dragging };
  const events = useMemo(
    (): NodeEvents => ({
      onClick(event, id) {
        const { selected, onSelect, onOpen, dragging } = latest.current;
        if (dragging.wasDragged()) return;
        if (event.shiftKey || event.ctrlKey || event.metaKey) onSelect(toggled(selected, id));
        else onOpen(id);
      },
      onKeyDown: (event, id) => nodeKey(event, id, latest.current),
      onPointerDown: (event, id) => latest.current.dragging.begin(event, id),
      onPort: (event, id, port) => latest.current.dragging.beginLine(event, id, port),
    }),
    [],
  );
  const edges = useMemo(() => namedEdges(model), [model]);
  return (
    <div class="graph editable">
      <div
        class="graph-box"
        ref={box}
        onPointerDown={(event) => {
          if (event.shiftKey) dragging.beginFrame(event);
          else if (event.target instanceof Element && event.target.closest('.node, .edge') === null) {
            if (selected.size > 0) onSelect(new Set());
            dragToScroll(event, box.current);
          }
        }}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key === 'a') {
            event.preventDefault();
            onSelect(new Set(model.nodes.map(({ id }) => id)));
          }
        }}
      >
        <svg
          role="group"
          aria-label="Graph"
          width={bounds.width * view.scale}
          height={bounds.height * view.scale}
          viewBox={`${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`}
        >
          <g class="edges">
            {edges.map(({ edge, name, below }) => (
              <EdgeLine
                key={edge.id}
                edge={edge}
                name={name}
                from={positions.get(edge.sourceId)}
                below={below}
                to={positions.get(edge.targetId)}
                ran={props.way?.edges.has(edge.id) ?? false}
                isSelected={selected.has(edge.id)}
                onSelect={onSelect}
                onDelete={onDelete}
              />
            ))}
          </g>
          {model.nodes.map((node) => (
            <GraphNode
              key={node.id}
              node={node}
              position={positions.get(node.id)}
              state={stateOf(props, node.id)}
              fault={props.faulty.get(node.id)}
              summary={props.way?.summaries.get(node.id)}
              isSelected={selected.has(node.id)}
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
      {model.nodes.length >= minimapFrom && <Minimap {...{ box, positions, bounds }} scale={view.scale} />}
      <div class="graph-tools" role="group" aria-label="Size of the graph">
        <button
          type="button"
          onClick={() => {
            view.hold();
            onTidy();
          }}
        >
          Tidy up
        </button>
        <button type="button" disabled={selected.size === 0} onClick={() => onDelete(selected)}>
          Delete selected
        </button>
        <button type="button" aria-label="Smaller" onClick={view.smaller}>
          −
        </button>
        <button type="button" onClick={view.fit}>
          Fit
        </button>
        <button type="button" aria-label="Larger" onClick={view.larger}>
          +
        </button>
      </div>
    </div>
  );

  function nodeKey(event: KeyboardEvent, id: string, now: GraphEditorProps): boolean {
    const by = directions[event.key];
    const ids = now.selected.has(id) ? now.selected : new Set([id]);
    if (event.shiftKey && by !== undefined) {
      onMove(
        new Map(
          [...ids].flatMap((each) => {
            const position = now.positions.get(each);
            return position === undefined ? [] : [[each, { x: position.x + by.x, y: position.y + by.y }] as const];
          }),
        ),
      );
      return true;
    }
    if (event.key === 'Delete' || event.key === 'Backspace') onDelete(ids);
    else if (event.key === 'Enter') onOpen(id);
    else if (event.key === ' ') onSelect(toggled(now.selected, id));
    else return false;
    return true;
  }
}

const stateOf = ({ way }: GraphEditorProps, id: string): 'ran' | 'failed' | 'not-ran' | undefined => {
  if (way === null) return undefined;
  if (way.failed.has(id)) return 'failed';
  return way.nodes.has(id) ? 'ran' : 'not-ran';
};

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

interface NamedEdge {
  readonly edge: ModelEdge;
  readonly name: string;
  readonly below: number;
}

function namedEdges({ nodes, edges }: Model): readonly NamedEdge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.map((edge) => {
    const from = byId.get(edge.sourceId);
    return {
      edge,
      name: `${from?.name ?? '?'} → ${byId.get(edge.targetId)?.name ?? '?'}`,
      below: portOf(from, edge).y,
    };
  });
}
