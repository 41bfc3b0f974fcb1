/** @jsxImportSource react */
import {
  DecisionGraph,
  JdmConfigProvider,
  nodeSpecification,
  type DecisionGraphRef,
  type DecisionGraphType,
  type NodeSpecification,
  type Simulation,
} from '@gorules/jdm-editor';
import css from '@gorules/jdm-editor/dist/style.css';
import { createRef } from 'react';
import { createRoot } from 'react-dom/client';
import { disableGlobalCursorStyles } from 'react-resizable-panels';
import type { Evaluation, Model, ModelEdge } from '../api/types.js';
import { decisionNode } from './decisionNode.js';
import { updateCSS } from './styles.js';

export interface EditorOptions {
  /** Every node has a position. */
  readonly model: Model;
  /** Nodes and edges as they are after a change, or without one: the editor also tells when nothing was edited. */
  readonly onChange: (changed: Pick<Model, 'nodes' | 'edges'>) => void;
}

/** The field's own editor of decision models, in an element of the page. */
export interface ModelEditor {
  /** Marks what a run of the draft did. */
  show(run: { readonly evaluation: Evaluation; readonly model: Model } | null): void;
  /** Puts a new node of that kind below the others, where it gets the focus. */
  addNode(type: string): void;
  connect(edge: Omit<ModelEdge, 'id'>): void;
  close(): void;
}

const components = [decisionNode];
const specifications: readonly NodeSpecification[] = [...Object.values(nodeSpecification), decisionNode];
/** Between a node and the one below it. */
const rowHeight = 160;
/** That a new node is waited for: it may be taken back before it was drawn. */
const mostFrames = 600;

/** Puts the editor into `element`. */
export function openEditor(element: HTMLElement, { model, onChange }: EditorOptions): ModelEditor {
  provideRandomUuid();
  disableGlobalCursorStyles();
  updateCSS(css, 'jdm-editor');
  const root = createRoot(element);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const graph = createRef<DecisionGraphRef>();
  let simulate: Simulation | undefined;
  const draw = (): void =>
    root.render(
      <JdmConfigProvider theme={{ mode: dark.matches ? 'dark' : 'light' }}>
        <DecisionGraph
          ref={graph}
          defaultValue={graphOf(model)}
          components={components}
          // Else it opens with what is beyond the canvas cut off.
          onReactFlowInit={(flow) => fit(() => flow.fitView({ padding: 0.1, maxZoom: 1 }))}
          onChange={({ nodes, edges }) => onChange({ nodes, edges } as Pick<Model, 'nodes' | 'edges'>)}
          {...(simulate === undefined ? {} : { simulate })}
        />
      </JdmConfigProvider>,
    );
  dark.addEventListener('change', draw);
  draw();
  return {
    show(run) {
      simulate = run === null ? undefined : simulationOf(run.evaluation, run.model);
      draw();
    },
    addNode(type) {
      const specification = specifications.find((each) => each.type === type);
      const { current } = graph;
      if (specification === undefined || current === null) return;
      const { nodes } = current.stateStore.getState().decisionGraph;
      const id = crypto.randomUUID();
      const places = nodes.map(({ position }) => position);
      const x = Math.min(...places.map((place) => place.x));
      const y = Math.max(...places.map((place) => place.y)) + rowHeight;
      const index = nodes.filter((node) => node.type === type).length + 1;
      const position = places.length === 0 ? { x: 0, y: 0 } : { x, y };
      current.openTab('graph');
      current.addNodes([{ id, type, position, ...specification.generateNode({ index }) }]);
      whenDrawn(element, id, (drawn) => {
        current.goToNode(id);
        // It is brought into sight by moving the canvas; scrolled by the browser, the canvas would be torn.
        drawn.focus({ preventScroll: true });
      });
    },
    connect(edge) {
      graph.current?.addEdges([{ id: crypto.randomUUID(), type: 'edge', ...edge }]);
    },
    close() {
      dark.removeEventListener('change', draw);
      root.unmount();
    },
  };
}

/** Tries until it is done, frame by frame: the canvas can not be fitted to nodes before the browser measured them. */
function fit(attempt: () => boolean, frames = mostFrames): void {
  if (!attempt() && frames > 0) requestAnimationFrame(() => fit(attempt, frames - 1));
}

/** Calls back once the node is seen on the canvas, some frames after it was added: before, it could have no focus. */
function whenDrawn(editor: HTMLElement, id: string, then: (node: HTMLElement) => void, frames = mostFrames): void {
  const found = editor.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`);
  if (found !== null && getComputedStyle(found).visibility === 'visible') then(found);
  else if (frames > 0) requestAnimationFrame(() => whenDrawn(editor, id, then, frames - 1));
}

/** The editor's own types are narrower than what models may be; it carries along what it does not know. */
const graphOf = ({ nodes, edges }: Model): DecisionGraphType =>
  structuredClone({ nodes, edges }) as unknown as DecisionGraphType;

const simulationOf = ({ performance, result, trace }: Evaluation, model: Model): Simulation =>
  ({ result: { performance, result, trace: trace ?? {}, snapshot: graphOf(model) } }) as unknown as Simulation;

/** Browsers keep it from pages on plain http beside localhost; the editor makes ids by it. */
function provideRandomUuid(): void {
  const source = crypto as { randomUUID?: () => string };
  source.randomUUID ??= () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const hex = [...bytes]
      .map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte))
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
}
