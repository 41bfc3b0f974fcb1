import type { Change, Model, ModelEdge } from '../api/types.js';
import type { Point } from './geometry.js';
import type { Way } from './way.js';

export interface GraphProps {
  readonly model: Model;
  readonly label: string;
  /** The way of a run, to be marked. */
  readonly way?: Way | null;
  /** Changes of nodes and edges, by id, to be marked. */
  readonly changes?: ReadonlyMap<string, Change>;
  /** The worst that is known of nodes, by id. */
  readonly faulty?: ReadonlyMap<string, 'error' | 'warning'>;
  /** Nodes that no test reaches, or not all of them. */
  readonly missed?: ReadonlySet<string>;
  /** The node that is shown beside the graph. */
  readonly chosen?: string | null;
  readonly onOpen: (id: string) => void;
}

/** What somebody who changes a graph does with it. */
export interface GraphEditing {
  /** Ids of the selected nodes and edges. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onMove: (positions: ReadonlyMap<string, Point>) => void;
  readonly onConnect: (start: Pick<ModelEdge, 'sourceId' | 'sourceHandle'>, targetId: string) => void;
  /** A node that nothing was connected with was put on an edge. */
  readonly onInsert: (id: string, edgeId: string) => void;
  readonly onDelete: (ids: ReadonlySet<string>) => void;
  readonly onTidy: () => void;
  /** Is told the middle of what is seen whenever it changes. */
  readonly onLook: (middle: Point) => void;
}

export interface DrawnGraphProps extends GraphProps {
  readonly positions: ReadonlyMap<string, Point>;
  /** Left out where the graph is only read. */
  readonly editing?: GraphEditing;
}
