import type { ImportedContent, Program, Value, ValueObject } from '../engine/index.js';
import type { Deadline } from './deadline.js';
import type { Field } from './fields.js';
import type { TableFindings } from './findings.js';
import type { CheckedProperty } from './properties.js';
import type { ModelChange, ReportedProperty } from './report.js';
import type { Candidate, Explored } from './search.js';
import type { TableChange } from './tableChange.js';

/** A decision table of a model, of JDM or of DMN. */
export interface AnalysedTable {
  readonly nodeId: string;
  readonly name: string;
  readonly hitPolicy: string;
  /** What the language calls a row. */
  readonly word: 'Row' | 'Rule';
  readonly ruleIds: readonly string[];
  /** Whether traces show the table; one within another expression of DMN they do not. */
  readonly isTraced: boolean;
  /** Whether its fields are members of the input that traces show of its node. */
  readonly isDirect: boolean;
  /** The input of its node in which the table finds these fields: under its input field, and in a list where it loops. */
  readonly inputWith: (fields: ValueObject) => ValueObject;
  readonly found: TableFindings;
  /** Runs the table by itself, without its node's loop, input field or output path; undefined where the run fails. */
  readonly alone: (input: ValueObject, until: Deadline) => Promise<Alone | undefined>;
}

/** What a table did by itself. */
export interface Alone {
  /** Indexes of the rows. */
  readonly rows: readonly number[];
  readonly result: Value;
}

/** What is known of a model without a run of it. */
export interface ExaminedModel {
  readonly tables: readonly AnalysedTable[];
  /** Statements of switches, and whether one is never chosen. */
  readonly statements: readonly Statement[];
  /** Adds tests that fail after changes of cells which the given tests do not notice. */
  readonly sharpen: (tests: readonly Candidate[], sharpening: Sharpening) => Promise<readonly Candidate[]>;
}

export interface Statement {
  readonly nodeId: string;
  /** Of its node. */
  readonly name: string;
  readonly id: string;
  readonly isClosed: boolean;
}

export interface Sharpening {
  /** Facts to choose tests from. */
  readonly pool: readonly Candidate[];
  /** How many tests there may be. */
  readonly most: number;
  readonly until: Deadline;
}

/** One version of a decision, as it is brought to the analysis. */
export interface Version {
  readonly document: unknown;
  /** Compiled with all that it reaches; null where it does not compile. */
  readonly program: Program | null;
  /** All that it reaches, as text that is the same for the same programs. */
  readonly linked: string;
  /** The decisions that a DMN document imports. */
  readonly imported?: ((name: string) => ImportedContent | undefined) | undefined;
}

/** A version, whichever kind of model it holds. */
export interface AnalysedModel extends Omit<Version, 'imported'> {
  readonly examine: (until: Deadline) => ExaminedModel;
  /** The fields that it reads of a fact, with values that may make a difference there. */
  readonly fields: (properties: readonly CheckedProperty[]) => Field[];
  /** What of a table's input, or of a test's, is of use in a fact. */
  readonly factFrom: (input: ValueObject) => ValueObject;
  readonly prove: (property: CheckedProperty, until: Deadline) => Promise<ReportedProperty>;
  readonly changes: (after: AnalysedModel, until: Deadline) => Changes;
}

/** Where the tables of a newer version treat inputs differently. */
export interface Changes {
  readonly tables: readonly ChangedTable[];
  /** Why the rest of the two cannot be compared; null where all of it was. */
  readonly reason: string | null;
}

export interface ChangedTable {
  readonly nodeId: string;
  /** Of the rows of the older and of the newer table. */
  readonly ruleIds: readonly [readonly string[], readonly string[]];
  readonly change: TableChange;
}

/** Facts that are known to both versions of a model. */
export interface Facts {
  readonly explored: readonly Explored[];
  /** Of the newer one. */
  readonly fields: readonly Field[];
  /** When the search ends; what it has not decided by then is unknown. */
  readonly until: Deadline;
}

export interface CheckedChange {
  readonly change: ModelChange;
  /** How often the engine contradicted what was proved. */
  readonly unconfirmed: number;
}
