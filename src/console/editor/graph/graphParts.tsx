import { useMemo } from 'preact/hooks';
import type { ModelEdge, ModelNode } from '../../api/types.js';
import { edgePath, type Point } from '../../graph/geometry.js';
import { nearest } from '../../graph/directions.js';
import { kindName } from '../../graph/kinds.js';
import { classes, NodeShape } from '../../graph/nodeShape.js';
import type { Port } from '../../graph/ports.js';

export interface NodeEvents {
  readonly onClick: (event: MouseEvent, id: string) => void;
  /** @returns whether the key was one of the node's */
  readonly onKeyDown: (event: KeyboardEvent, id: string) => boolean;
  readonly onPointerDown: (event: PointerEvent, id: string) => void;
  readonly onPort: (event: PointerEvent, id: string, port: Port) => void;
}

interface GraphNodeProps {
  readonly node: ModelNode;
  readonly position: Point | undefined;
  readonly state: 'ran' | 'failed' | 'not-ran' | undefined;
  readonly fault: 'error' | 'warning' | undefined;
  /** What a run did there. */
  readonly summary: string | undefined;
  readonly isSelected: boolean;
  readonly events: NodeEvents;
}

/** A node, not drawn again while nothing of it changes: others are dragged beside it. */
export function GraphNode({ node, position, state, fault, summary, isSelected, events }: GraphNodeProps) {
  return useMemo(() => {
    if (position === undefined) return null;
    const { id, type } = node;
    return (
      <NodeShape
        node={node}
        position={position}
        classes={classes(state, fault === 'error' && 'faulty', fault === 'warning' && 'warned', isSelected && 'chosen')}
        description={[kindName(type), summary, fault === 'error' ? '✕ fault' : fault && '△ warning']
          .filter(Boolean)
          .join(' · ')}
        ran={state === 'ran' || state === 'failed'}
        isPressed={isSelected}
        onClick={(event) => events.onClick(event, id)}
        onPointerDown={(event) => events.onPointerDown(event, id)}
        onKeyDown={(event) => {
          if (events.onKeyDown(event, id)) event.preventDefault();
          else leadOn(event, id);
        }}
        onPort={(event, port) => events.onPort(event, id, port)}
      />
    );
  }, [node, position, state, fault, summary, isSelected, events]);
}

/** Arrow keys lead to the nearest node that is drawn in that direction. */
function leadOn(event: KeyboardEvent, id: string): void {
  if (!event.key.startsWith('Arrow') || !(event.currentTarget instanceof Element)) return;
  event.preventDefault();
  const nodes = [...(event.currentTarget.closest('svg')?.querySelectorAll<SVGElement>('[data-node]') ?? [])];
  const positions = new Map(
    nodes.map((element) => {
      const { x, y } = element.getBoundingClientRect();
      return [element.dataset['node'] ?? '', { x, y }];
    }),
  );
  const next = nearest(positions, id, event.key);
  nodes.find((element) => element.dataset['node'] === next)?.focus();
}

interface EdgeLineProps {
  readonly edge: ModelEdge;
  readonly name: string;
  readonly from: Point | undefined;
  /** How far below the upper edge of its node it begins. */
  readonly below: number;
  readonly to: Point | undefined;
  readonly ran: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onDelete: (ids: ReadonlySet<string>) => void;
}

/** An edge; a broad line that is not seen takes the clicks. */
export function EdgeLine({ edge, name, from, below, to, ran, isSelected, onSelect, onDelete }: EdgeLineProps) {
  return useMemo(() => {
    if (from === undefined || to === undefined) return null;
    const path = edgePath(from, to, { below });
    return (
      <g
        class={classes('edge', isSelected && 'chosen')}
        role="img"
        aria-label={name}
        tabindex={-1}
        data-edge={edge.id}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          onSelect(new Set([edge.id]));
          event.currentTarget.focus();
        }}
        onKeyDown={({ key }) => {
          if (key === 'Delete' || key === 'Backspace') onDelete(new Set([edge.id]));
        }}
      >
        <path d={path} class={ran ? 'ran' : ''} />
        <path d={path} class="wide">
          <title>{name}</title>
        </path>
      </g>
    );
  }, [edge, name, from, below, to, ran, isSelected]);
}
