import type { EngineError } from '../errors.js';
import type { Footprint } from '../footprint.js';
import type { Limits } from '../limits.js';
import type { Report } from '../jdm/reader.js';
import type { Frame } from '../jdm/frame.js';
import type { Expression, UnaryTest } from '../zen/index.js';
import type { Value } from '../values.js';

/** An expression that an author wrote, and where. `label` is for people: `rule 3, output fee.amount`. */
export interface Written {
  readonly source: string;
  /** `condition`: a cell of a column without a field, which is a standard expression. */
  readonly kind: 'standard' | 'unary' | 'condition';
  readonly field: string;
  readonly label: string;
  /** JSON Pointer from the node. */
  readonly pointer: string;
  /**
   * Where an error does not end the run but counts as no match, as in the reference engine: what a fault means for the
   * author.
   */
  readonly tolerated?: string;
  /** The id of the switch's statement whose condition it is. */
  readonly statement?: string;
}

/** Only programs with function nodes ever make a promise. */
export type Eventually<T> = T | Promise<T>;

/** A row that has no results, though its conditions held. */
export interface PassedOver {
  readonly index: number;
  readonly error: EngineError;
}

/** Of a table of which no row matched: one that came nearest, and which of its conditions failed. */
export type NearestRow = {
  index: number;
  /** A column without a field asks the whole case. The value is that of the field, as people are told it; a long one is left out. */
  missed: { column: string; condition: string; value?: string }[];
};

/** What a traced run fills in beside the output. It stays as it is when the node fails. */
export interface TraceSlot {
  /** `traceData`; undefined where the node has none to show. */
  data: Value | undefined;
  /** Some of the data was left out, because the trace is too large already. */
  truncated?: boolean;
  /** Of a table: no row of it matched; looks for the nearest. A loop has none: its rounds are told by their data. */
  unmatched?: () => NearestRow | undefined;
  /** The first of such rows of a table; a loop has one list for all of its rounds. */
  readonly passedOver: PassedOver[];
}

/** Both compilations of a node. They share their expressions and give equal outputs. */
export interface CompiledNode {
  run(input: Value, frame: Frame): Eventually<Value>;
  trace(input: Value, frame: Frame, slot: TraceSlot): Eventually<Value>;
}

/** What a node's compilation may use. Equal sources are compiled once. */
export interface NodeContext {
  readonly limits: Limits;
  /** What the program keeps; a node adds what it makes beside its expressions. */
  readonly footprint: Footprint;
  /** A source that does not parse gives an expression that raises that fault when it runs. */
  expression(source: string): Expression;
  /** As `expression`, compiled when it first runs: a table has thousands of cells and a run meets a few of them. */
  cell(source: string): Expression;
  /** A unary test, compiled when it first runs. */
  unary(source: string): UnaryTest;
  resolve(key: string): SubProgram | undefined;
}

/** Another decision, as a decision node runs it. */
export interface SubProgram {
  enter(input: Value, parent: Frame, slot: TraceSlot): Eventually<Value>;
}

/** The part that a node plays in its graph. */
export type Role = 'input' | 'output' | 'switch' | 'step';

/** A node's content, parsed. */
export interface ParsedNode {
  readonly role: Role;
  /** Every expression that the content holds, in reading order. */
  expressions(): Iterable<Written>;
  compile(context: NodeContext): CompiledNode;
  /** Ids of a switch's statements; edges bind to them by `sourceHandle`. */
  readonly statements?: readonly string[];
  /** A decision node's key. */
  readonly decision?: string;
  /** A JSON Schema, as text or as an object. */
  readonly schema?: unknown;
  /** The node is JavaScript: asynchronous, and may read `$nodes`. */
  readonly script?: boolean;
  /** A custom node's kind. */
  readonly custom?: string;
}

/** One type of JDM node. */
export interface NodeType {
  /** `type` in the document. */
  readonly type: string;
  read(content: unknown, report: Report): ParsedNode;
}
