import type { Fault, FilePart, Model } from '../api/types.js';

/** A model that was made of a file, and is kept nowhere yet. */
export interface FileModel {
  readonly content: Model;
  readonly faults: readonly Fault[];
}

/** A spreadsheet as a model with a table of it. */
export interface Sheet extends FileModel {
  /** The names of its columns. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** That of the column that has the note of each row. */
  readonly note: string | null;
}

/** How a file is read once somebody has said more of it: of another sheet that alone, and of other columns where they are. */
export const partWith = (part: FilePart, { range, empty, ...said }: FilePart): FilePart =>
  said.columns !== undefined
    ? { sheet: part.sheet, header: part.header, ...said }
    : said.sheet === undefined
      ? { ...part, ...said, ...both('range', part, range), ...both('empty', part, empty) }
      : said;

/** Of several columns each is said once. */
const both = (name: 'range' | 'empty', part: FilePart, said: string | undefined): FilePart =>
  said === undefined ? {} : { [name]: [part[name], said].filter(Boolean).join(', ') };
