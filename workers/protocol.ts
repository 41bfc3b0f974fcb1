import { defaultLimits, type Limits } from './engine/limits.js';
import { defaultSandboxLimits } from './engine/sandbox/limits.js';
import type { SandboxLimits } from './engine/sandbox/types.js';
import type { Measured } from './measured.js';
import type { ModelReply, ModelTask } from './models/tasks.js';

/**
 * What crosses between the main thread and a worker. Text instead of objects: a JSON string is copied once and parsed
 * once, where an object would be walked by structured clone on both sides. Nothing is ever thrown across.
 */

/** A program and all that it can reach. Entry 0 is the root; `links` maps a sub-decision's name to an entry. */
export interface Manifest {
  readonly entries: readonly ManifestEntry[];
}
export interface ManifestEntry {
  /** SHA-256 (hex) of the content. */
  readonly content: string;
  readonly links: Readonly<Record<string, number>>;
}

/** A manifest with its contents: JDM text by SHA-256. */
export interface Bundle {
  readonly manifest: Manifest;
  readonly contents: Readonly<Record<string, string>>;
}

/** An environment's variables and allowed hosts as a run sees them. */
export interface Configuration {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Names of the secret ones. */
  readonly secrets: readonly string[];
  /** Hosts that function nodes may call. */
  readonly httpHosts: readonly string[];
  /** The hosts among them, as `host:port`, that may stand at a private address. */
  readonly privateHosts?: readonly string[];
}

export interface RunTask {
  /** SHA-256 (hex) of the manifest. */
  readonly programId: string;
  /** The workspace whose run it is, to which the memory of the programs that it brings is charged. */
  readonly workspaceId: string;
  /** `Bundle` as JSON text; sent when the worker said that it lacks the program. */
  readonly bundle?: string;
  /** Environment and revision of its variables and hosts; empty for evaluations, unless they have hosts that they may call. */
  readonly configurationId: string;
  /** `Configuration` as JSON text; sent when the worker said that it lacks it. */
  readonly configuration?: string;
  /** The request's body as JSON text, already checked; its `fact` is the input. */
  readonly body: string;
  /**
   * Always collect a trace (evaluations); otherwise one is made only when the run failed. `apart`: by a second run, so that
   * the first goes just as an execution does.
   */
  readonly traced: boolean | 'apart';
  /**
   * Milliseconds since the epoch, and 32 bits that its random numbers come from: a run that is given both again goes the
   * same way.
   */
  readonly clock: number;
  readonly seed: number;
  /** A function node that calls a host ends the run with `http_withheld`: for runs that repeat what was executed. */
  readonly withoutHttp?: true | undefined;
  /** JSON Pointers to fields of the result that the reply is to have by themselves; absent where none is counted. */
  readonly measured?: readonly string[] | undefined;
  /** Milliseconds from now until the run is stopped by the engine itself; the pool stops the thread a little later. */
  readonly timeoutMs: number;
}

/** The worker lacks something: send the task again with it. Nothing was run. */
export interface RunMiss {
  readonly kind: 'miss';
  readonly program: boolean;
  readonly configuration: boolean;
}

/** The body selects what the model does not have. Nothing was run. */
export interface RunRefused {
  readonly kind: 'refused';
  /** Place of the name in the selection. */
  readonly at: number;
  readonly message: string;
}

/** The run ended by itself, well or not. Texts are JSON. */
export interface RunDone {
  readonly kind: 'done';
  readonly status: 'COMPLETED' | 'FAILED';
  /** What the caller gets: the model's own result, or `{"error": …}`. */
  readonly result: string;
  /** Redacted; null when there is none. */
  readonly trace: string | null;
  /** Why values of a DMN model were null, redacted; absent where none was. */
  readonly warnings?: string;
  /** How many those are. */
  readonly warningCount?: number;
  readonly engineUs: number;
  /** The diagnostic as redacted JSON when FAILED. */
  readonly error: string | null;
  /** Fact and result for the record, with secrets redacted. `result` is null when the same as `result` above. */
  readonly recordedFact: string;
  readonly recordedResult: string | null;
  /** `recordedFact` is not the fact that was run. */
  readonly factRedacted: boolean;
  /** What the body selects, as JSON; absent for no selection. */
  readonly selection?: string;
  /** Of a completed run whose task has `measured`, with secrets redacted. */
  readonly measured?: Measured;
}

/**
 * The run was stopped by a limit that makes it a 5xx. Comes from the worker when the engine stopped itself, and from the
 * pool when the thread had to be ended or died (`crash`: for another cause than time and memory).
 */
export interface RunStopped {
  readonly kind: 'stopped';
  readonly reason: 'timeout' | 'memory' | 'crash';
  /** One line for the caller. */
  readonly message: string;
  /** For the log: the stack of a fault of our own, redacted. */
  readonly detail?: string;
  readonly engineUs: number;
  /** Null when the thread is gone: the fact could not be redacted, so it is not recorded. */
  readonly recordedFact: string | null;
  readonly factRedacted: boolean;
  /** What the body selects, as JSON; absent for no selection. */
  readonly selection?: string;
}

export type RunReply = RunMiss | RunRefused | RunDone | RunStopped;

/** All that a thread may be given: runs, and work on models beside them. */
export type ThreadTask = RunTask | (ModelTask & Pick<RunTask, 'timeoutMs'>);
export type ThreadReply = RunReply | ModelReply;

/** A batch as it crosses. */
export type ThreadMessage = readonly ThreadTask[];

/** What became of the tasks of a batch: the first `replies.length` of them were run, in order, and the rest were not. */
export interface BatchAnswer {
  readonly replies: readonly ThreadReply[];
  /** Microseconds that each reply took on the thread. */
  readonly us: readonly number[];
  /** The first that was not run is to be sent alone: its program has function nodes. */
  readonly alone: boolean;
}

/** What no run of a thread may exceed. */
export interface RunLimits {
  readonly engine: Limits;
  /** Of function nodes. */
  readonly functions: SandboxLimits;
}

export const defaultRunLimits: RunLimits = Object.freeze({ engine: defaultLimits, functions: defaultSandboxLimits });

/** What a worker is started with. */
export interface WorkerData {
  readonly limits: RunLimits;
  /**
   * Two Int32. The first counts the runs begun of the present batch: the pool reads from it which run a thread died of,
   * and stops further ones by it. The second is 1 from the first batch of a slow workspace on: the thread then has a
   * low priority and gets no other batches.
   */
  readonly begun: SharedArrayBuffer;
}

/** A program that is to be compiled before a run needs it. */
export interface Preparation {
  /** As in `RunTask`. */
  readonly programId: string;
  readonly workspaceId: string;
  readonly bundle: string;
}

/**
 * What a worker file exports for the pool. `ready` loads and warms what a first run needs; no run is given to the thread
 * before it returns. `runAll` throws only what is a fault of this code, never what a model did.
 */
export interface WorkerExports {
  ready(): void | Promise<void>;
  prepare(preparation: Preparation): void;
  runAll(message: ThreadMessage): BatchAnswer | Promise<BatchAnswer>;
}
