import type { ModelNode } from '../api/types.js';
import { nodeHeight, nodeWidth, type Point } from './geometry.js';
import { portsOf, type Port } from './ports.js';

interface NodeShapeProps {
  readonly node: ModelNode;
  readonly position: Point;
  /** Beside `node`. */
  readonly classes: string;
  /** Its kind, and what is the matter with it. */
  readonly description: string;
  readonly ran: boolean;
  readonly isPressed: boolean;
  readonly onClick: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerDown?: (event: PointerEvent) => void;
  /** An edge is begun at one of its ports. */
  readonly onPort: ((event: PointerEvent, port: Port) => void) | undefined;
}

/** Of the second line; the first is cut off where the node ends. */
const mostLetters = 22;
/** Of the condition beside a way out of a switch. */
const mostOfWay = 11;

/** A node of a graph: a button with its name and its kind. */
export function NodeShape({ node, position, classes, description, ran, isPressed, onPort, ...events }: NodeShapeProps) {
  return (
    <g class={`node ${classes}`} transform={`translate(${position.x} ${position.y})`}>
      <g
        role="button"
        tabindex={0}
        data-node={node.id}
        aria-label={node.name}
        aria-description={description}
        aria-pressed={isPressed}
        {...(ran ? { 'aria-current': 'step' } : {})}
        {...events}
      >
        <title>{node.name}</title>
        <rect class="box" width={nodeWidth} height={nodeHeight} rx={6} />
        <rect class="stripe" width={4} height={nodeHeight - 16} x={8} y={8} rx={2} />
        {/* Cuts a long name off at the edge of the node. */}
        <svg x={20} y={5} width={nodeWidth - 26} height={22}>
          <text y={17} class="name">
            {node.name}
          </text>
        </svg>
      </g>
      <text x={20} y={41} class="kind" aria-hidden="true">
        {description.length > mostLetters ? `${description.slice(0, mostLetters - 1)}…` : description}
      </text>
      {portsOf(node)
        .filter(({ label }) => onPort !== undefined || label !== '')
        .map((port) => (
          <Way key={port.handle} port={port} onPort={onPort} />
        ))}
    </g>
  );
}

/** Where edges leave a node, with the condition under which they do. */
function Way({ port, onPort }: { readonly port: Port; readonly onPort: NodeShapeProps['onPort'] }) {
  const { label, y } = port;
  return (
    <g class="way">
      {label !== '' && (
        <text x={nodeWidth + 8} y={y - 4} aria-hidden="true">
          {label.length > mostOfWay ? `${label.slice(0, mostOfWay - 1)}…` : label}
        </text>
      )}
      <circle
        class="port"
        cx={nodeWidth}
        cy={y}
        r={label === '' ? 6 : 4.5}
        onPointerDown={onPort && ((event) => onPort(event, port))}
      >
        <title>{[label, onPort && 'Drag to another node to connect them'].filter(Boolean).join(': ')}</title>
      </circle>
    </g>
  );
}
