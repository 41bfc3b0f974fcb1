import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Change, Model, ModelNode } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { focusNearest } from './directions.js';
import { draw, edgePath, type Drawing } from './geometry.js';
import { kindName } from './kinds.js';
import { classes, NodeShape } from './nodeShape.js';
import { portOf } from './ports.js';
import type { Way } from './way.js';

interface GraphProps {
  readonly model: Model;
  readonly label: string;
  /** The way of a run, to be marked. */
  readonly way?: Way | null | undefined;
  /** Changes of nodes and edges, by id, to be marked. */
  readonly changes?: ReadonlyMap<string, Change>;
  /** Nodes with faults. */
  readonly faulty?: ReadonlySet<string>;
  /** Nodes that no test reaches, or not all of them. */
  readonly missed?: ReadonlySet<string>;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

const zoomStep = 1.25;
const [minZoom, maxZoom] = [0.2, 2.5];
/** Smaller, names could not be read: the box scrolls instead. */
const minFitted = 0.5;

/** A model as its author drew it. Each node is a button; arrow keys lead to the nearest one in a direction. */
export function Graph(props: GraphProps) {
  const { model, label } = props;
  const { drawing, failure } = useDrawing(model);
  const box = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<number | null>(null);
  const [fitted, setFitted] = useState(1);
  useEffect(() => {
    const element = box.current;
    if (element === null || drawing === null) return;
    const fit = (): void => setFitted(Math.max(minFitted, Math.min(1, (element.clientWidth - 4) / drawing.width)));
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [drawing]);
  const scale = zoom ?? fitted;
  if (failure !== null) return <Failure error={failure} />;
  return (
    <div class="graph">
      <div class="graph-box" ref={box} onPointerDown={(event) => dragToScroll(event, box.current)}>
        {drawing !== null && (
          <svg
            role="group"
            aria-label={label}
            width={drawing.width * scale}
            height={drawing.height * scale}
            viewBox={`0 0 ${drawing.width} ${drawing.height}`}
          >
            <Edges {...props} drawing={drawing} />
            {model.nodes.map((node) => (
              <Node key={node.id} {...props} node={node} drawing={drawing} />
            ))}
          </svg>
        )}
      </div>
      <div class="graph-tools" role="group" aria-label="Size of the graph">
        <button type="button" aria-label="Smaller" onClick={() => setZoom(clamp(scale / zoomStep))}>
          −
        </button>
        <button type="button" onClick={() => setZoom(null)}>
          Fit
        </button>
        <button type="button" aria-label="Larger" onClick={() => setZoom(clamp(scale * zoomStep))}>
          +
        </button>
      </div>
    </div>
  );
}

function useDrawing(model: Model): { readonly drawing: Drawing | null; readonly failure: unknown } {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    let current = true;
    draw(model).then((drawn) => {
      if (current) setDrawing(drawn);
    }, setFailure);
    return () => {
      current = false;
    };
  }, [model]);
  // Until the new one is there, the old one has other nodes.
  const isCurrent = drawing !== null && model.nodes.every(({ id }) => drawing.positions.has(id));
  return { drawing: isCurrent ? drawing : null, failure };
}

const clamp = (zoom: number): number => Math.min(maxZoom, Math.max(minZoom, zoom));

interface PartProps extends GraphProps {
  readonly drawing: Drawing;
}

function Edges({ model, way, changes, drawing }: PartProps) {
  const nodes = useMemo(() => new Map(model.nodes.map((node) => [node.id, node])), [model]);
  const drawn = useMemo(
    () =>
      model.edges.flatMap((edge) => {
        const [from, to] = [drawing.positions.get(edge.sourceId), drawing.positions.get(edge.targetId)];
        const { y } = portOf(nodes.get(edge.sourceId), edge);
        return from === undefined || to === undefined
          ? []
          : [{ id: edge.id, path: edgePath(from, to, { below: y, isUpright: model.document !== undefined }) }];
      }),
    [model, drawing],
  );
  return (
    <g class="edges">
      {drawn.map(({ id, path }) => (
        <path key={id} d={path} class={classes(way?.edges.has(id) && 'ran', changes?.get(id))} />
      ))}
    </g>
  );
}

function Node({ node, drawing, way, changes, faulty, missed, chosen, onChoose }: PartProps & { node: ModelNode }) {
  const position = drawing.positions.get(node.id);
  if (position === undefined) return null;
  const ran = way?.nodes.has(node.id) ?? false;
  const change = changes?.get(node.id);
  const isFaulty = faulty?.has(node.id) ?? false;
  const isMissed = missed?.has(node.id) ?? false;
  return (
    <NodeShape
      node={node}
      position={position}
      classes={classes(
        ran && 'ran',
        way !== undefined && way !== null && !ran && 'not-ran',
        way?.failed.has(node.id) && 'failed',
        change,
        isFaulty && 'faulty',
        isMissed && 'missed',
        chosen === node.id && 'chosen',
      )}
      description={[
        kindName(node.type),
        way?.summaries.get(node.id),
        change,
        isFaulty && 'fault',
        isMissed && 'not tested',
      ]
        .filter(Boolean)
        .join(' · ')}
      ran={ran}
      isPressed={chosen === node.id}
      onClick={() => onChoose(node.id)}
      onKeyDown={(event) => {
        if (focusNearest(event, drawing.positions, node.id) || (event.key !== 'Enter' && event.key !== ' ')) return;
        event.preventDefault();
        onChoose(node.id);
      }}
    />
  );
}

/** With the mouse the ground is dragged; fingers scroll by themselves. */
export function dragToScroll(event: PointerEvent, box: HTMLElement | null): void {
  const onNode = event.target instanceof Element && event.target.closest('.node') !== null;
  if (box === null || event.pointerType !== 'mouse' || event.button !== 0 || onNode) return;
  const move = (moved: PointerEvent): void => box.scrollBy(-moved.movementX, -moved.movementY);
  const stop = (): void => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', stop);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', stop);
}
