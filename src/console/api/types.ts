/** What the API answers, and where its document says no more than that it is an object, what the console shows of it. */
import type * as api from '#openapi/types.gen.js';

export type * from '#openapi/types.gen.js';

/** What a spreadsheet changes, or would change. */
export type TableImport = Omit<api.FileImport, 'content' | 'faults'> & {
  readonly content: Model;
  readonly faults: readonly api.Fault[];
};

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly size: number; readonly total: number | null; readonly after: string | null };
}

/** With the content that a version keeps. */
export type PinnedDependency = api.VersionWithContent['dependencies'][number];
export type Dependency = Pick<PinnedDependency, 'key' | 'decisionId'>;
export type VersionWithContent = Omit<api.VersionWithContent, 'content'> & { readonly content: Model };
export type Evaluation = Omit<api.Evaluation, 'trace'> & { readonly trace: Trace | null };
export type Execution = Omit<api.RecordedExecution, 'trace'> & { readonly trace: Trace | null };
export type Explanation = Omit<api.ExecutionExplanation, 'trace' | 'steps'> & {
  readonly trace: Trace | null;
  readonly steps?: readonly Step[];
};

export type Step = Omit<api.ExplainedStep, 'inside'> & { readonly inside: readonly Step[] };
export type Status = api.ExecutionSummary['status'];
export type Change = api.NodeDifference['change'];
export type PoolNumbers = Omit<api.ProcessPool, 'pid'>;

/** A model: JDM, or a document of DMN in its form. */
export interface Model {
  /** Of DMN: the text that its modeler wrote. */
  readonly document?: string;
  readonly nodes: readonly ModelNode[];
  readonly edges: readonly ModelEdge[];
  readonly tests?: readonly ModelTest[];
}

export interface ModelNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly position?: { readonly x: number; readonly y: number } | null;
  readonly content?: unknown;
}

export interface ModelEdge {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly sourceHandle?: string | null;
}

export interface ModelTest {
  readonly name?: string;
  readonly input: unknown;
  readonly output?: unknown;
}

export interface NodeTrace {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly performance: string;
  readonly order: number;
  readonly traceData: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
    readonly span?: readonly number[];
  };
  readonly truncated?: true;
  /** Of a table: no row of it matched. */
  readonly unmatched?: true;
  /** Of such a table: the row of which the fewest conditions failed. */
  readonly nearest?: {
    readonly index: number;
    readonly missed: readonly { readonly column: string; readonly condition: string; readonly value?: string }[];
  };
  /** Rows whose conditions held, and why they have no results. */
  readonly passedOver?: readonly { readonly index: number; readonly message: string }[];
}

export type Trace = Readonly<Record<string, NodeTrace>>;

/** What of a file is read, and how, where somebody has said it. */
export interface FilePart {
  readonly sheet?: string | undefined;
  /** The row that names its columns. */
  readonly header?: string | undefined;
  /** Two columns as one input. */
  readonly range?: string | undefined;
  /** What stands down, along and in the cells of a matrix. */
  readonly matrix?: string | undefined;
  /** The columns that are read, where tables stand beside one another. */
  readonly columns?: string | undefined;
  /** What the empty cells of columns are. */
  readonly empty?: string | undefined;
  /** Whose row is taken where the file and the table changed it since the file was made. */
  readonly prefer?: 'file' | 'table' | undefined;
}
