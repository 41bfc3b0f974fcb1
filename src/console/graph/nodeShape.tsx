import type { ComponentChildren } from 'preact';
import type { ModelNode } from '../api/types.js';
import { nodeHeight, nodeWidth, type Point } from './geometry.js';

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
  readonly children?: ComponentChildren;
}

/** Of the second line; the first is cut off where the node ends. */
const mostLetters = 22;

/** A node of a graph: a button with its name and its kind. */
export function NodeShape({
  node,
  position,
  classes,
  description,
  ran,
  isPressed,
  children,
  ...events
}: NodeShapeProps) {
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
      {children}
    </g>
  );
}

/** The names of classes that hold. */
export const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
