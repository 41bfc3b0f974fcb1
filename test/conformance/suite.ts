import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import json5 from 'json5';
import { fromJson, type Value } from '../../workers/engine/index.js';
import { parseCsv } from './csv.js';

/** A row of a CSV file: an expression, what it sees, what it gives. */
export interface ExpressionRow {
  /** `standard.csv:12` */
  readonly place: string;
  readonly expression: string;
  readonly input: Value;
  readonly output: unknown;
}

/** One CSV file. Rows of a file named `unary…` are unary tests; their input's `$` is the field. */
export interface RowFile {
  readonly name: string;
  readonly unary: boolean;
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
  readonly tests: readonly { readonly input: Value; readonly output: unknown }[];
}

export interface Suite {
  readonly rowFiles: readonly RowFile[];
  readonly graphs: readonly GraphFile[];
}

/**
 * Reads a folder of conformance vectors: `*.csv` and `graphs/*.json`.
 * @throws Error for a folder that holds neither, and for a graph that is no JSON
 */
export function readSuite(folder: string): Suite {
  const rowFiles = filesOf(folder, '.csv').map((name) => readRows(name, readFileSync(path.join(folder, name), 'utf8')));
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

/** The first row names the columns; rows that begin with `#` are comments; a row of two columns has no input. */
function readRows(name: string, text: string): RowFile {
  const rows: ExpressionRow[] = [];
  const broken: { place: string; reason: string }[] = [];
  for (const { line, columns } of parseCsv(text).slice(1)) {
    const [expression = '', ...others] = columns;
    const [input, output]: (string | undefined)[] = others.length === 1 ? ['', others[0]] : others;
    const place = `${name}:${line}`;
    if (expression.startsWith('#')) continue;
    try {
      if (input === undefined || output === undefined || columns.length > 3)
        throw new Error('a row has two or three columns');
      const data = fromJson(input.trim() === '' ? null : json5.parse(input));
      rows.push({ place, expression, input: data, output: json5.parse(output) });
    } catch (error) {
      broken.push({ place, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { name, unary: name.startsWith('unary'), rows, broken };
}
