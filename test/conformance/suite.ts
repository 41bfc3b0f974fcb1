import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Value } from '../../workers/engine/index.js';
import { parseCsv } from './csv.js';
import { parseExact } from './exact.js';
import { anyError, type Expected } from './outcome.js';

/** A row of a CSV file: an expression, what it sees, what it gives. */
export interface ExpressionRow {
  /** `standard.csv:12` */
  readonly place: string;
  readonly expression: string;
  readonly input: Value;
  readonly output: Expected;
  /** Of the specification: `bug: …` where the reference differs from the output, `question: …` where it is open. */
  readonly note: string;
}

/** One CSV file. Rows of a file named `unary…` are unary tests; their input's `$` is the field. */
export interface RowFile {
  readonly name: string;
  readonly unary: boolean;
  /** Of the specification, whose rows are computed at a moment of its own. */
  readonly specified: boolean;
  readonly rows: readonly ExpressionRow[];
  /** Lines that are no rows, with what is wrong with them. */
  readonly broken: readonly { readonly place: string; readonly reason: string }[];
}

/** A model with its own tests. */
export interface GraphFile {
  /** `graphs/fees.json` */
  readonly name: string;
  /** The file name without `.json`: what a decision node may call it. */
  readonly key: string;
  readonly model: unknown;
  readonly tests: readonly { readonly input: Value; readonly output: Value }[];
}

export interface Suite {
  readonly rowFiles: readonly RowFile[];
  readonly graphs: readonly GraphFile[];
}

/**
 * Reads a folder of conformance vectors: `*.csv`, `graphs/*.json` and the rows of the specification in `spec`.
 * @throws Error for a folder that holds neither, and for a graph that is no JSON
 */
export function readSuite(folder: string): Suite {
  const names = ['', 'spec/standard', 'spec/unary'].flatMap((part) =>
    filesOf(path.join(folder, part), '.csv').map((name) => path.join(part, name)),
  );
  const rowFiles = names.map((name) => readRows(name, readFileSync(path.join(folder, name), 'utf8')));
  const graphs = filesOf(path.join(folder, 'graphs'), '.json').map((name) => readGraph(folder, name));
  if (rowFiles.length + graphs.length === 0) throw new Error(`there are no vectors in ${folder}`);
  return { rowFiles, graphs };
}

function filesOf(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
}

function readGraph(folder: string, file: string): GraphFile {
  const model = JSON.parse(readFileSync(path.join(folder, 'graphs', file), 'utf8')) as { tests?: GraphFile['tests'] };
  return { name: `graphs/${file}`, key: file.slice(0, -'.json'.length), model, tests: model.tests ?? [] };
}

/**
 * The first row names the columns; rows that begin with `#` are comments; a row of two columns has no input. Rows of the
 * specification have a fourth one, their note, and numbers with all their digits.
 */
function readRows(name: string, text: string): RowFile {
  const rows: ExpressionRow[] = [];
  const broken: { place: string; reason: string }[] = [];
  const isSpecified = name.startsWith('spec');
  for (const { line, columns } of parseCsv(text).slice(1)) {
    const [expression = '', ...others] = columns;
    const [input, output, ...notes]: (string | undefined)[] = others.length === 1 ? ['', others[0]] : others;
    const place = `${name}:${line}`;
    if (expression.startsWith('#')) continue;
    try {
      if (input === undefined || output === undefined || (notes.length > 0 && !isSpecified))
        throw new Error('a row has two or three columns');
      const data = input.trim() === '' ? null : parseExact(input);
      const expected = output === '!error' ? anyError : parseExact(output);
      rows.push({ place, expression, input: data, output: expected, note: notes.join(';') });
    } catch (error) {
      broken.push({ place, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { name, unary: /(?:^|\/)unary/.test(name), specified: isSpecified, rows, broken };
}
