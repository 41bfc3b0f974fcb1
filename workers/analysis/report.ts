import type { Value } from '../engine/index.js';
import type { FindingKind } from './finding.js';

/** What is told of a model (trust.md, section 19). */
export interface Analysis {
  readonly tables: readonly TableReport[];
  readonly properties: readonly ReportedProperty[];
  /** Null where it was compared with no other version. */
  readonly change: ModelChange | null;
  readonly reach: Reach;
}

export interface TableReport {
  readonly nodeId: string;
  readonly node: string;
  /** `first` and `collect` of JDM, else as DMN names it. Null for a node that is no table: such a one stands here only where it fails. */
  readonly hitPolicy: string | null;
  readonly findings: readonly ReportedFinding[];
}

export interface ReportedFinding {
  readonly kind: FindingKind | 'fails';
  readonly rules: readonly string[];
  readonly status: 'proved' | 'unknown';
  readonly witness: Witness | null;
  readonly message: string;
}

/** Values of the engine, to be written with all their digits. */
export interface Witness {
  /** A fact of the decision; null where none was found, and `input` is the node's alone. */
  readonly fact: Value;
  readonly input: Value;
  readonly result: Value;
}

/** What must never be, or must always hold: ZEN over `{fact, result}`. */
export type Property = { readonly name: string } & ({ readonly never: string } | { readonly always: string });

export interface ReportedProperty {
  readonly name: string;
  readonly status: 'proved' | 'refuted' | 'unknown';
  /** A fact that refutes it. */
  readonly witness: Witness | null;
  /** Why it is unknown, for people; null where it is not. */
  readonly reason: string | null;
}

export type ReachStatus = 'reachable' | 'unreachable' | 'unknown';

export interface Reach {
  readonly reachable: number;
  readonly unreachable: number;
  readonly unknown: number;
  readonly elements: readonly ReachElement[];
}

export interface ReachElement {
  readonly nodeId: string;
  readonly ruleId: string;
  readonly status: ReachStatus;
}

/** Where two versions give different results. */
export interface ModelChange {
  readonly status: 'equal' | 'different' | 'unknown';
  readonly regions: readonly ReportedRegion[];
  /** Of which rows the regions are, but for those of single facts. */
  readonly rows: readonly ChangedRows[];
  /** Where tables take inputs otherwise, and no fact was found that shows it in the result. */
  readonly undecided: readonly string[];
  /** Why not all of the change could be compared, for people; null where all of it was. */
  readonly reason: string | null;
}

/** Regions of a table in which the same rows matched before, and the same ones match now. */
export interface ChangedRows {
  readonly nodeId: string;
  /** Ids of rows of the older and of the newer version; none where no row matches. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Their places in the list of regions, from 0. */
  readonly regions: readonly number[];
}

export interface ReportedRegion {
  /** In words of the fields; null where only single facts are known to differ. */
  readonly when: string | null;
  readonly witness: Witness;
  readonly before: Value;
  readonly after: Value;
}
