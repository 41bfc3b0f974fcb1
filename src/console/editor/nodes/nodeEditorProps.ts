import type { ModelNode, NodeTrace } from '../../api/types.js';
import type { SoughtCell } from '../soughtCell.js';
import type { CellMark } from '../grid/gridRow.js';
import type { Word } from '../text/word.js';
import type { TextFault } from '../text/faultMarks.js';

export interface NodeEditorProps {
  readonly node: ModelNode;
  /** It is shown, and nothing of it changed. */
  readonly isReadOnly?: boolean;
  /** The rows that a run matched. */
  readonly matched: ReadonlySet<number>;
  /** Faults at the cells of a sheet, by row. */
  readonly marks: ReadonlyMap<number, ReadonlyMap<string, readonly CellMark[]>>;
  /** Faults of a text. */
  readonly faults: readonly TextFault[];
  readonly words: (field: string, before: string) => readonly Word[];
  /** The cell that somebody wants to see, by its row and the id of its column. */
  readonly sought: SoughtCell | null;
  /** Of a request that names no fields: the schema of those that the model uses. */
  readonly used?: unknown;
  /** The key of the model's decision, from whose folder others are named. */
  readonly usedBy?: string;
  /** What the last run did here. */
  readonly trace?: NodeTrace | undefined;
  /** @param step of the history that goes on with what is typed */
  readonly onContent: (content: unknown, step: string | null) => void;
  readonly onAbandon: (step: string) => void;
}
