import type { Diagnostic } from '../engine/index.js';
import type { FileFormat } from './files/grid.js';
import type { AskedForms } from './tables/askedForms.js';
import type { CellLocations } from './tables/importTable.js';
import type { Side } from './tables/mergeRows.js';

/** Work on spreadsheets, each for one request. */
export type SheetTask = ExportTask | ImportSheetTask | ConvertTask | ReadFactsTask | WriteAnswersTask;

/** A file, as it came. */
interface File {
  readonly bytes: Uint8Array;
  readonly format: FileFormat;
}

/** A file of a table. */
export interface TableFile extends File, AskedForms {
  /** The row that names the columns, from 1; without it the first one that is not empty. */
  readonly header?: number;
  /** The row below it, where both name the columns together. */
  readonly headerEnd?: number;
  /** The sheet of an .xlsx that is meant; without it one that is called as ours are, else the first that is shown. */
  readonly sheet?: string;
  /** Whose row is taken where the file and the table changed it since the file was made. */
  readonly prefer?: Side;
}

/** What of a model a file holds: a table, or its tests. */
export type SheetPart =
  | { readonly kind: 'table'; readonly nodeId: string; readonly decisionId: string }
  /** `schemas`: what the decision takes and gives, with those that it runs, as JSON; else what its own nodes tell. */
  | { readonly kind: 'tests'; readonly schemas?: string };

/** Writes a part of a model as a file. */
export interface ExportTask {
  readonly kind: 'exportSheet';
  /** The model. */
  readonly text: string;
  readonly part: SheetPart;
  readonly format: FileFormat;
}

export interface ExportAnswer {
  readonly refusal: Refusal | null;
  /** Null where the model has no such table. */
  readonly bytes: Uint8Array | null;
  /** The table's name; empty for tests. */
  readonly name: string;
}

/** Brings a file into a model. */
export interface ImportSheetTask extends TableFile {
  readonly kind: 'importSheet';
  readonly text: string;
  readonly part: SheetPart;
}

/** Why a file is not read: `large` is beyond a limit. */
export interface Refusal {
  readonly kind: 'broken' | 'large';
  readonly message: string;
}

export interface ImportedSheet {
  readonly document: { readonly hash: string; readonly text: Uint8Array };
  /** `ModelDifferences` as JSON. */
  readonly differences: string;
  /** What was noticed of the file; names of cells such as `Rules!B17` are their labels. */
  readonly diagnostics: readonly Diagnostic[];
  /** What others changed meanwhile that the file changes too, in words. */
  readonly conflicts: readonly string[];
  readonly locations: CellLocations;
  /** Leads to what the file holds. */
  readonly pointer: string;
}

export interface ImportSheetAnswer {
  readonly refusal: Refusal | null;
  /** Null where the model has no such table, or the file was refused. */
  readonly imported: ImportedSheet | null;
}

/** Makes a model of a plain sheet. */
export interface ConvertTask extends TableFile {
  readonly kind: 'convertSheet';
  readonly inputs: readonly string[] | null;
  readonly outputs: readonly string[] | null;
}

export interface ConvertAnswer {
  readonly refusal: Refusal | null;
  readonly missing: readonly { readonly parameter: 'inputs' | 'outputs'; readonly name: string }[];
  /** `{"content", "inputs", "outputs"}` as JSON. */
  readonly converted: string;
  /** Of the file and of the model. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a file of facts. */
export interface ReadFactsTask extends File {
  readonly kind: 'readFacts';
  /** The schemas of the decision that they are for, as JSON; null where there are none. */
  readonly schemas: string | null;
  /** Cells with one meaning are read so, as in tests: a person has chosen the file, and sees what came of each row. */
  readonly isMeant: boolean;
  /** Of such a file: columns that are no field, and fields without a column, are taken so, and not asked about. */
  readonly takesOthers: boolean;
}

export interface ReadFactsAnswer {
  readonly refusal: Refusal | null;
  /** `{fact, key?, reference?}` as JSON, one line for each row, in shared memory: the main thread takes it over as it is. */
  readonly items: Uint8Array;
  /** How many they are. */
  readonly count: number;
  /** Why the file can't be taken, each with the name of its cell. */
  readonly faults: readonly string[];
  /** Why an item is not to run, by its place. */
  readonly refused: ReadonlyMap<number, string>;
  /** What is asked of the columns before anything is run. */
  readonly questions: readonly string[];
}

/** Writes a file of facts with the answers beside them. */
export interface WriteAnswersTask extends File {
  readonly kind: 'writeAnswers';
  /** The schemas of the decision that gave them, as JSON; null where there are none. */
  readonly schemas: string | null;
  /** JSON, one for each item that was read. */
  readonly answers: readonly string[];
}

interface WriteAnswersAnswer {
  readonly bytes: Uint8Array;
}

/** What each kind of task answers. */
export interface SheetAnswers {
  readonly exportSheet: ExportAnswer;
  readonly importSheet: ImportSheetAnswer;
  readonly convertSheet: ConvertAnswer;
  readonly readFacts: ReadFactsAnswer;
  readonly writeAnswers: WriteAnswersAnswer;
}
