import type { PropertyFault } from '../analysis/index.js';
import type { Diagnostic } from '../engine/index.js';
import type { JsonFault, JsonLimits, JsonViolation } from '../json/index.js';
import type { ItemsFound, ItemsSearch } from '../json/items.js';
import type { SheetAnswers, SheetTask } from '../sheets/tasks.js';
import type { CompareAnswer, CompareTask } from './compare/tasks.js';
import type { ChangesAnswer, ChangesTask, NarrateAnswer, NarrateTask } from './narrate/tasks.js';

/**
 * Work on untrusted models besides their runs: reading, checking, testing, comparing them. It is done by threads alone,
 * in pieces of some milliseconds, or of one model where that takes longer.
 */
export type ModelTask =
  | ScanTask
  | BodyTask
  | CheckTask
  | TestTask
  | SchemaTask
  | FindTask
  | FieldsTask
  | DifferencesTask
  | CompareTask
  | AnalyseTask
  | NarrateTask
  | ChangesTask
  | SheetTask;

/** Looks for the items of a list in a large body, from where the last piece ended. */
interface ScanTask extends ItemsSearch {
  readonly kind: 'scan';
}

/** Reads the body of a request, and checks it. */
export interface BodyTask {
  readonly kind: 'body';
  readonly text: string;
  readonly limits: JsonLimits;
  /** Where an operation's schema names the fields: in a `closed` body on every level, in an `open` one only on the first. */
  readonly shape: 'open' | 'closed';
}

export type BodyAnswer =
  | { readonly fault: JsonFault }
  | {
      readonly fault: null;
      /** There are more fields than any operation has: the value is left out. */
      readonly tooMany: boolean;
      readonly violations: readonly JsonViolation[];
      /** Of an open body its outline: its outermost object or list, with nothing in the members. */
      readonly value: unknown;
    };

/** Reads a model, writes it in its one form and finds its diagnostics. */
export interface CheckTask {
  readonly kind: 'check';
  /** JSON: the model, or an object with it as member `content`. */
  readonly text: string | Uint8Array;
  readonly isItem: boolean;
}

/**
 * A name that a decision node gives, and the index in `diagnostics` of the error that holds where no decision has that name.
 */
interface SubDecisionReference {
  readonly name: string;
  readonly diagnostic: number;
}

/** What is found out of a model alone, without its workspace. */
export interface ModelCheck {
  /** As if there were no other decision; see `references`. */
  readonly diagnostics: readonly Diagnostic[];
  readonly references: readonly SubDecisionReference[];
  /** The names that its decision nodes use, each once, in the order of the document. */
  readonly subDecisions: readonly string[];
}

export interface CheckAnswer {
  /** What stands around the model; null where the text is the model itself. */
  readonly item: CheckedItem | null;
  /** Null where there is no model at all; the only diagnostic then says so. */
  readonly document: { readonly hash: string; readonly text: Uint8Array } | null;
  readonly check: ModelCheck;
}

export interface CheckedItem {
  /** Undefined where the text is JSON. */
  readonly syntax: string | undefined;
  readonly isObject: boolean;
  /** Null where it is no text, undefined where there is none. */
  readonly key: string | null | undefined;
  readonly content: 'absent' | 'object' | 'other';
  /** Some of its other members. */
  readonly others: readonly string[];
}

/** Runs a model's own tests, from the one of that number on, for some milliseconds. */
export interface TestTask {
  readonly kind: 'test';
  readonly programId: string;
  readonly workspaceId: string;
  /** As for a run; the tests are those of its root. */
  readonly bundle: string;
  readonly from: number;
  /** Of the tests before; empty for the first piece. */
  readonly hits: Hits;
}

/** How often tests reached each node and rule, in the order of the model. */
export type Hits = Uint32Array<ArrayBuffer>;

export interface TestAnswer {
  /** How many tests the model has. */
  readonly count: number;
  /** `TestResult` as JSON, each. */
  readonly tests: readonly string[];
  readonly passed: number;
  readonly failed: number;
  /** Of these tests and of those before them. */
  readonly hits: Hits;
  /** `Coverage` as JSON, once all tests are done: nodes and rules that no test reached are included. */
  readonly coverage: string | null;
  /** The test to go on with; null when all are done. */
  readonly next: number | null;
  /** Milliseconds that the piece took on its thread. */
  readonly tookMs: number;
}

/** Tells what a model takes and gives, with the decisions that it runs. */
interface SchemaTask {
  readonly kind: 'schema';
  /** As for a run. */
  readonly bundle: string;
}

interface SchemaAnswer {
  /** `ModelSchemas` as JSON. */
  readonly schemas: string;
}

/** Looks for a text in models. */
interface FindTask {
  readonly kind: 'find';
  /** The models. */
  readonly texts: readonly string[];
  readonly search: string;
}

interface FindAnswer {
  /** Of each model, whether it has the text. */
  readonly found: readonly boolean[];
}

/** Reads what people are shown of values: facts and results may have megabytes. */
interface FieldsTask {
  readonly kind: 'fields';
  /** The values as JSON. */
  readonly texts: readonly string[];
}

interface FieldsAnswer {
  /** Of each value. */
  readonly fields: readonly ShownFields[];
}

/** Fields of a value as a page has them. */
export interface ShownFields {
  readonly shown: readonly (readonly [path: string, value: string])[];
  /** How many there are beside them. */
  readonly left: number;
}

/** A model with its version's number; as bytes, which the main thread neither reads nor writes out. */
interface NumberedModel {
  readonly version: number;
  /** JSON. */
  readonly text: Uint8Array;
}

/** Tells in what two versions differ. */
export interface DifferencesTask {
  readonly kind: 'differences';
  /** The older one; the other is compared with it. */
  readonly from: NumberedModel;
  readonly to: NumberedModel;
}

interface DifferencesAnswer {
  /** Both numbers and `ModelDifferences`, as JSON. */
  readonly differences: Uint8Array;
}

/** A program, as JSON text of a `Bundle`. */
export interface BroughtProgram {
  readonly programId: string;
  readonly bundle: string;
}

/** Proves what can be proved of a model, or finds tests that reach all of it. */
export interface AnalyseTask extends BroughtProgram {
  readonly kind: 'analyse';
  readonly workspaceId: string;
  /** An older version, to tell where the two give different results; null for none. */
  readonly against: BroughtProgram | null;
  /** JSON: an object that may have `properties` (ZEN over `{fact, result}`), of any shape. */
  readonly request: string;
  /** Tests are wanted, and no report. */
  readonly suggest: boolean;
  /** Shared with the task's owner, who sets the first element to 1 to end it; null for work that ends by itself. */
  readonly stop: Int32Array<SharedArrayBuffer> | null;
}

export interface AnalyseAnswer {
  /** `Analysis` or `Suggestions` as JSON; null where there are diagnostics. */
  readonly report: string | null;
  /** How often the engine did not show what the method had proved. */
  readonly unconfirmed: number;
  /** Properties that do not parse. */
  readonly propertyFaults: readonly PropertyFault[];
  /** Why a document is no model. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What each kind of task answers. */
export interface ModelAnswers extends SheetAnswers {
  readonly scan: ItemsFound;
  readonly body: BodyAnswer;
  readonly check: CheckAnswer;
  readonly test: TestAnswer;
  readonly schema: SchemaAnswer;
  readonly find: FindAnswer;
  readonly fields: FieldsAnswer;
  readonly differences: DifferencesAnswer;
  readonly compare: CompareAnswer;
  readonly analyse: AnalyseAnswer;
  readonly narrate: NarrateAnswer;
  readonly changesInWords: ChangesAnswer;
}

/** A task was done; diagnostics of the model are part of the answer. */
export interface ModelReply {
  readonly kind: 'worked';
  readonly answer: ModelAnswers[keyof ModelAnswers];
}
