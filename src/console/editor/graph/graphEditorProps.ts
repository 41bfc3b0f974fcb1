import type { Model } from '../../api/types.js';
import type { Point } from '../../graph/geometry.js';
import type { Way } from '../../graph/way.js';

export interface GraphEditorProps {
  readonly model: Model;
  /** Where every node stands, those without a position of their own too. */
  readonly positions: ReadonlyMap<string, Point>;
  readonly way: Way | null;
  /** The worst that is known of nodes, by id. */
  readonly faulty: ReadonlyMap<string, 'error' | 'warning'>;
  /** Ids of the selected nodes and edges. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onOpen: (id: string) => void;
  readonly onMove: (positions: ReadonlyMap<string, Point>) => void;
  /** @param handle of the switch's way */
  readonly onConnect: (sourceId: string, targetId: string, handle: string | undefined) => void;
  /** A node that nothing was connected with was put on an edge. */
  readonly onInsert: (id: string, edgeId: string) => void;
  readonly onDelete: (ids: ReadonlySet<string>) => void;
  readonly onTidy: () => void;
  /** Is told the middle of what is seen whenever it changes. */
  readonly onLook: (middle: Point) => void;
}
