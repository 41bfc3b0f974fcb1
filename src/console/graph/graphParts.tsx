import { still } from '../parts/still.js';
import type { Change, ModelEdge, ModelNode } from '../api/types.js';
import { classes } from '../parts/small.js';
import { nearest, type Point, nodeHeight, nodeWidth } from './geometry.js';
import { kindName } from './kinds.js';
import { heightOf, type Port, portsOf } from './ports.js';

export interface GraphEvents {
  readonly onClick: (event: MouseEvent, id: string) => void;
  /** @returns whether the key was one of the node's */
  readonly onKeyDown: (event: KeyboardEvent, id: string) => boolean;
  readonly onPointerDown: (event: PointerEvent, id: string) => void;
  readonly onPort: (event: PointerEvent, id: string, port: Port) => void;
  readonly onEdge: (id: string) => void;
  readonly onDeleteEdge: (id: string) => void;
}

/** What a run did at a node; undefined where none is shown. */
export type NodeState = 'ran' | 'failed' | 'not-ran' | undefined;

interface GraphNodeProps {
  readonly node: ModelNode;
  readonly position: Point | undefined;
  readonly state: NodeState;
  readonly fault: 'error' | 'warning' | undefined;
  readonly change: Change | undefined;
  /** No test reaches it, or not all of it. */
  readonly isMissed: boolean;
  /** What a run did there. */
  readonly summary: string | undefined;
  readonly isSelected: boolean;
  /** How much of the graph is free to the right of it. */
  readonly room: number;
  /** Edges may be begun at it. */
  readonly isEdited: boolean;
  readonly events: GraphEvents;
}

/** Of the second line; the first is cut off where the node ends. */
const mostLetters = 22;
/** Of the condition beside a way out of a switch; each is so wide, and so much is around all of them. */
const [mostOfWay, letter, aroundWay] = [11, 7.9, 10];
/** Between a dot and what its way is called. */
const besideDot = 8;
/** With fewer letters nothing is said by them. */
const leastOfWay = 3;

const faultWords = { error: ['✕', '✕ fault'], warning: ['△', '△ warning'] } as const;

const told = (...words: readonly (string | false | undefined)[]): string => words.filter(Boolean).join(' · ');

/** A button with the name of a node and its kind, not drawn again while nothing of it changes: others are dragged beside it. */
export const GraphNode = still((props: GraphNodeProps) => {
  const { node, position, state, fault, change, isMissed, summary, isSelected, room, isEdited, events } = props;
  if (position === undefined) return null;
  const { id, type, name } = node;
  const marks = classes(
    state,
    state === 'failed' && 'ran',
    fault === 'error' && 'faulty',
    fault === 'warning' && 'warned',
    change,
    isMissed && 'missed',
    isSelected && 'chosen',
  );
  const height = heightOf(node);
  const top = (nodeHeight - height) / 2;
  const untested = isMissed && 'not tested';
  const [sign, faultWord] = fault === undefined ? [] : faultWords[fault];
  const shown = told(kindName(type), summary, change, sign, untested);
  return (
    <g class={`node ${marks}`} transform={`translate(${position.x} ${position.y})`}>
      <g
        role="button"
        tabindex={0}
        data-node={id}
        aria-label={name}
        aria-description={told(kindName(type), summary, change, faultWord, untested)}
        aria-pressed={isSelected}
        {...(state === 'ran' || state === 'failed' ? { 'aria-current': 'step' } : {})}
        onClick={(event) => events.onClick(event, id)}
        onPointerDown={(event) => events.onPointerDown(event, id)}
        onKeyDown={(event) => {
          if (events.onKeyDown(event, id)) event.preventDefault();
          else leadOn(event, id);
        }}
      >
        <title>{name}</title>
        <rect class="box" width={nodeWidth} height={height} y={top} rx={6} />
        <rect class="stripe" width={4} height={height - 16} x={8} y={top + 8} rx={2} />
        {/* Cuts a long name off at the edge of the node. */}
        <svg x={20} y={5} width={nodeWidth - 26} height={22}>
          <text y={17} class="name">
            {name}
          </text>
        </svg>
      </g>
      <text x={20} y={41} class="kind" aria-hidden="true">
        {shown.length > mostLetters ? `${shown.slice(0, mostLetters - 1)}…` : shown}
      </text>
      {portsOf(node)
        .filter(({ label }) => isEdited || label !== '')
        .map((port) => (
          <Way
            key={port.handle}
            port={port}
            room={room}
            onPort={isEdited ? (event) => events.onPort(event, id, port) : undefined}
          />
        ))}
    </g>
  );
});

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
  /** As the attribute of an SVG path has it; undefined where a node of it is not there. */
  readonly path: string | undefined;
  readonly ran: boolean;
  readonly change: Change | undefined;
  readonly isSelected: boolean;
  /** It can be chosen. */
  readonly isEdited: boolean;
  readonly events: GraphEvents;
}

/** An edge; where it can be chosen, a broad line that is not seen takes the clicks. */
export const EdgeLine = still((props: EdgeLineProps) => {
  const { edge, name, path, ran, change, isSelected, isEdited, events } = props;
  if (path === undefined) return null;
  const line = <path d={path} class={classes(ran && 'ran', change)} />;
  if (!isEdited) return line;
  return (
    <g
      class={classes('edge', isSelected && 'chosen')}
      role="img"
      aria-label={name}
      tabindex={-1}
      data-edge={edge.id}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        events.onEdge(edge.id);
        event.currentTarget.focus();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Delete' || key === 'Backspace') events.onDeleteEdge(edge.id);
      }}
    >
      {line}
      <path d={path} class="wide">
        <title>{name}</title>
      </path>
    </g>
  );
});

/** Where edges leave a node, with the condition under which they do. */
function Way({
  port: { label, y },
  room,
  onPort,
}: {
  readonly port: Port;
  readonly room: number;
  /** An edge is begun there. */
  readonly onPort: ((event: PointerEvent) => void) | undefined;
}) {
  const letters = Math.min(mostOfWay, Math.floor((room - 2 * besideDot - aroundWay) / letter));
  const shown = label.length > letters ? `${label.slice(0, letters - 1)}…` : label;
  const x = nodeWidth + besideDot;
  return (
    <g class="way">
      {label !== '' && letters >= leastOfWay && (
        <g aria-hidden="true" pointer-events="none">
          <rect x={x} y={y - 8} width={shown.length * letter + aroundWay} height={16} rx={4} />
          <text x={x + aroundWay / 2} y={y + 4}>
            {shown}
          </text>
        </g>
      )}
      <circle class="port" cx={nodeWidth} cy={y} r={label === '' ? 6 : 4.5} onPointerDown={onPort}>
        <title>{[label, onPort && 'Drag to another node to connect them'].filter(Boolean).join(': ')}</title>
      </circle>
    </g>
  );
}
