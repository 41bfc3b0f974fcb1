/** What the API answers, as far as the console shows it: `/openapi.json` has all of it. */

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly size: number; readonly total: number | null; readonly after: string | null };
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
}

export interface Decision {
  readonly id: string;
  readonly key: string;
  readonly latestVersion: number | null;
  readonly contentHash: string;
  readonly faults: number;
  readonly warnings: number;
  readonly updatedAt: string;
}

export interface Version {
  readonly version: number;
  readonly contentHash: string;
  readonly message: string | null;
  readonly savedBy: string | null;
  readonly createdAt: string;
}

export interface Dependency {
  readonly key: string;
  readonly decisionId: string;
}

export interface VersionWithContent extends Version {
  readonly content: Model;
  readonly dependencies: readonly Dependency[];
}

export interface Fault {
  readonly severity: 'error' | 'warning';
  readonly nodeId: string | null;
  readonly node: string | null;
  readonly field: string | null;
  readonly pointer: string | null;
  readonly message: string;
  readonly hint: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly excerpt: string | null;
}

export type Json = unknown;
export type JsonObject = Readonly<Record<string, Json>>;

/** A model: JDM. */
export interface Model {
  readonly nodes: readonly ModelNode[];
  readonly edges: readonly ModelEdge[];
  readonly tests?: readonly ModelTest[];
}

export interface ModelNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly position?: { readonly x: number; readonly y: number } | null;
  readonly content?: Json;
}

export interface ModelEdge {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly sourceHandle?: string | null;
}

export interface ModelTest {
  readonly name?: string;
  readonly input: Json;
}

export interface NodeTrace {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly output: Json;
  readonly performance: string;
  readonly order: number;
  readonly traceData: Json;
  readonly error?: { readonly code: string; readonly message: string; readonly field?: string };
  readonly truncated?: true;
}

export type Trace = Readonly<Record<string, NodeTrace>>;

export type Status = 'COMPLETED' | 'FAILED';

export interface Evaluation {
  readonly id: string;
  readonly status: Status;
  readonly result: Json;
  readonly performance: string;
  readonly trace: Trace | null;
}

export interface Environment {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
}

export interface Deployment {
  readonly id: string;
  readonly decisionId: string;
  readonly environmentId: string;
  readonly version: number;
  readonly name: string;
  readonly message: string | null;
  readonly deployedBy: string;
  readonly createdAt: string;
}

export interface ExecutionSummary {
  readonly id: string;
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: Status;
  readonly reference: string | null;
  readonly error: JsonObject | null;
  readonly performance: string;
  readonly requestId: string;
  readonly principal: string;
  readonly createdAt: string;
}

export interface Execution extends ExecutionSummary {
  readonly fact: JsonObject | null;
  readonly result: Json;
  readonly trace: Trace | null;
}

export interface Explanation {
  readonly executionId: string;
  readonly exact: boolean;
  readonly reasons: readonly string[];
  readonly result: Json;
  readonly trace: Trace | null;
}

export interface ChangedField {
  readonly pointer: string;
  readonly before?: Json;
  readonly after?: Json;
}

export type Change = 'added' | 'removed' | 'changed' | 'moved';

export interface NodeDifference {
  readonly id: string | null;
  readonly name: string | null;
  readonly type: string | null;
  readonly change: Change;
  readonly fields: readonly ChangedField[];
}

export interface RowDifference {
  readonly nodeId: string;
  readonly ruleId: string | null;
  readonly change: Change;
  readonly position: { readonly from: number | null; readonly to: number | null };
  readonly cells: readonly { readonly column: string; readonly before?: Json; readonly after?: Json }[];
}

export interface EdgeDifference {
  readonly id: string | null;
  readonly change: Change;
  readonly source: string | null;
  readonly target: string | null;
}

export interface Differences {
  readonly nodes: readonly NodeDifference[];
  readonly edges: readonly EdgeDifference[];
  readonly rows: readonly RowDifference[];
  readonly fields?: readonly ChangedField[];
}

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly tests: readonly {
    readonly name: string;
    readonly passed: boolean;
    readonly differences: readonly { readonly pointer: string; readonly expected?: Json; readonly actual?: Json }[];
  }[];
  readonly coverage: {
    readonly nodes: readonly { readonly nodeId: string; readonly hits: number }[];
    readonly rules: readonly { readonly nodeId: string; readonly ruleId: string; readonly hits: number }[];
  };
}

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** Null where nothing ran. */
export interface MeasuredTimes {
  readonly p50: number | null;
  readonly p99: number | null;
}

export interface Measure {
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
}

export interface ReplayReport {
  readonly replayed: number;
  readonly identical: number;
  readonly changed: number;
  readonly newlyFailed: number;
  readonly newlyCompleted: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly fields: readonly { readonly pointer: string; readonly count: number }[];
  readonly transitions: readonly {
    readonly pointer: string;
    readonly before?: Json;
    readonly after?: Json;
    readonly count: number;
  }[];
  readonly measures: readonly Measure[];
  readonly engine: { readonly before: MeasuredTimes; readonly after: MeasuredTimes };
}

export interface Replay {
  readonly id: string;
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
  readonly done: number;
  readonly total: number;
  readonly report: ReplayReport;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly request: {
    readonly decisionId: string;
    readonly environmentId: string;
    readonly candidate: { readonly version: number };
  };
  /** Why it FAILED. */
  readonly error?: string;
}

export interface ReplayDifference {
  readonly executionId: string;
  readonly reference: string | null;
  readonly changes: readonly ChangedField[];
}

export interface PoolNumbers {
  readonly threads: number;
  readonly busy: number;
  readonly waiting: number;
  readonly served: number;
  readonly rejected: number;
  readonly timedOut: number;
  readonly restarts: number;
  readonly waitMs: Quantiles;
  readonly runMs: Quantiles;
  readonly memory: { readonly rss: number };
  readonly bytesInFlight: number;
  readonly maxBytesInFlight: number;
  readonly bytesRefused: number;
}

export interface Pool extends PoolNumbers {
  readonly minThreads: number;
  readonly maxThreads: number;
  readonly maxQueue: number;
  readonly runTimeoutMs: number;
  readonly processes: readonly (PoolNumbers & { readonly pid: number })[];
}
