import { useState } from 'preact/hooks';
import type { NodeType } from '../editor/newNode.js';
import { nodeHeight, nodeWidth, type Point } from '../graph/geometry.js';
import { kindName } from '../graph/kinds.js';
import { follow } from '../parts/follow.js';

/** Less is a press with an unsteady hand. */
const leastMove = 4;

interface Dragged {
  readonly type: NodeType;
  readonly x: number;
  readonly y: number;
}

/** Drags a node out of the palette. @param onDrop is told where its corner comes in the graph, and the edge that it was put on */
export function usePalette(onDrop: (type: NodeType, at: Point, edgeId: string | undefined) => void) {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  return {
    begin: (type: NodeType, down: PointerEvent): void => {
      if (down.button !== 0) return;
      follow(
        ({ clientX: x, clientY: y }) => {
          if (Math.hypot(x - down.clientX, y - down.clientY) >= leastMove) setDragged({ type, x, y });
        },
        ({ clientX, clientY }) => {
          setDragged(null);
          const under = document.elementsFromPoint(clientX, clientY);
          const drawn = under.find((element) => element.closest('.graph-box') !== null)?.closest('.graph-box');
          const inverse = drawn?.querySelector('svg')?.getScreenCTM()?.inverse();
          if (inverse === undefined) return;
          const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(inverse);
          const edge = under.map((element) => element.closest<SVGElement>('[data-edge]')).find((each) => each !== null);
          onDrop(type, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }, edge?.dataset['edge']);
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
