import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { formatJson } from '../../../../workers/json/index.js';
import {
  AnswerColumns,
  codeColumns,
  columnsTaking,
  csvFault,
  csvForm,
  DoubtfulCells,
  fromWindows1252,
  hasDecimals,
  lineEnds,
  markedEncoding,
  NamelessCells,
  notText,
  readPaths,
  readRow,
  shownText,
  takenAt,
  unguarded,
  type PathColumn,
  type Row,
} from '../../../../workers/sheets/index.js';
import { Refusal } from '../../failures.js';

/** How a file of facts is read. */
export interface ItemFile {
  readonly path: string;
  /** The columns of a CSV file that are no part of the fact, where they are not called so. */
  readonly key: string | undefined;
  readonly reference: string | undefined;
  /** The JSON Schema of the facts; undefined where it is not known. */
  readonly input: unknown;
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** What a file tells only when all of it was read. */
interface Survey {
  readonly encoding: Encoding;
  /** Of facts, and those that are no part of one. */
  readonly columns: readonly PathColumn[];
  readonly own: readonly OwnColumn[];
  readonly codes: ReadonlySet<number>;
  /** Columns in which the decision takes texts. */
  readonly texts: ReadonlySet<number>;
}

/** A column that is no part of a fact. */
interface OwnColumn {
  readonly name: 'key' | 'reference';
  readonly at: number;
}

/** The facts of a .csv as items of a batch, read as the service itself reads such a file, and refused for the same. @throws Refusal */
export async function* csvItems(file: ItemFile): AsyncGenerator<string> {
  const { path } = file;
  const { encoding, columns, own, codes, texts } = await survey(file);
  const rows = rowsOf(path, encoding);
  await rows.next();
  for await (const { at, cells } of rows) {
    const faults: string[] = [];
    const sheet: Row[] = [];
    sheet[at] = cells;
    const fact = readRow({ name: path, rows: sheet }, at, { columns, codes, texts, faults });
    if (faults[0] !== undefined) throw new Refusal(faults[0]);
    const named = own.flatMap(({ name, at: column }) => {
      const cell = cells[column];
      return cell === undefined ? [] : [[name, shownText(cell)]];
    });
    yield formatJson({ ...(Object.fromEntries(named) as object), fact });
  }
}

async function survey(file: ItemFile): Promise<Survey> {
  const opened = await open(file.path);
  const start = await opened.read(Buffer.alloc(2), 0, 2, 0).finally(() => opened.close());
  const encoding = markedEncoding(start.buffer.subarray(0, start.bytesRead));
  try {
    return await surveyAs(file, encoding ?? 'utf-8');
  } catch (error) {
    if (!(error instanceof TypeError) || encoding !== undefined) throw error;
    return surveyAs(file, 'windows-1252');
  }
}

async function surveyAs(file: ItemFile, encoding: Encoding): Promise<Survey> {
  const { path, input } = file;
  const rows = rowsOf(path, encoding);
  const { value: head = { at: 0, cells: [], delimiter: '' } } = (await rows.next()) as { value: CsvRow | undefined };
  const above = Array.from({ length: head.at }, (): Row => []);
  const header = readPaths({ name: path, rows: [...above, head.cells] });
  const own = ownColumns(header.columns, file);
  const given = header.columns.filter(({ at }) => !own.some((column) => column.at === at));
  const answered = new AnswerColumns(header.columns);
  const doubts = given.map(({ at, steps }) => {
    const taken = takenAt(input, steps);
    return { at, taken, doubt: new DoubtfulCells(taken) };
  });
  const nameless = new NamelessCells({ name: path, rows: [...above, head.cells] }, head.at);
  const codes = new Set<number>();
  let mayHaveCommas = head.delimiter === ';';
  for await (const { at, cells } of rows) {
    for (const column of codeColumns([cells])) codes.add(column);
    for (const column of doubts) column.doubt.see(cells[column.at] ?? '', at);
    nameless.see(cells, at);
    answered.see(cells);
    mayHaveCommas &&= !hasDecimals(cells);
  }
  const columns = given.filter((column) => !answered.has(column));
  const texts = columnsTaking('text', columns, input);
  const numbers = doubts.filter(
    ({ at, taken }) =>
      columns.some((column) => column.at === at) && (taken === 'number' || !codes.has(at)) && !texts.has(at),
  );
  const doubtful = numbers.flatMap(({ at, doubt }) => doubt.fault(path, at, mayHaveCommas) ?? []);
  const [fault] = [...header.faults, ...nameless.faults(), ...doubtful];
  if (fault !== undefined) throw new Refusal(fault);
  return { encoding, columns, own, codes, texts };
}

/** Those that the service knows by these names, unless others are named. */
function ownColumns(columns: readonly PathColumn[], file: ItemFile): OwnColumn[] {
  return (['key', 'reference'] as const).flatMap((name) => {
    const title = file[name] ?? name;
    const column = columns.find((each) => each.title === title);
    if (column !== undefined) return [{ name, at: column.at }];
    if (file[name] === undefined) return [];
    throw new Refusal(`${file.path} has no column "${title}", which --${name} names.`);
  });
}

/** A row that has cells. */
interface CsvRow {
  /** Of the file, from 0. */
  readonly at: number;
  readonly cells: Row;
  /** Between those of the file. */
  readonly delimiter: string;
}

/** @throws TypeError where the file is not of that encoding */
async function* rowsOf(path: string, encoding: Encoding): AsyncGenerator<CsvRow> {
  const texts = textsOf(path, encoding);
  const { value: first = '' } = (await texts.next()) as { value: string | undefined };
  const { delimiter, from } = csvForm(first);
  const rows = pipeline(
    Readable.from(chained(first.slice(from), texts)),
    // Spreadsheets leave out the empty cells at the end of a row.
    parse({
      delimiter,
      record_delimiter: [...lineEnds],
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
    }),
    () => undefined,
  );
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: Info }>) {
      const cells = record.map((cell) => (cell === '' ? undefined : unguarded(cell)));
      if (cells.some((cell) => cell !== undefined)) yield { at: info.records + info.empty_lines - 1, cells, delimiter };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new Refusal(`${path} is no CSV: ${csvFault(error)}.`);
    throw error;
  }
}

async function* chained(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function* textsOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const latin of createReadStream(path, 'latin1') as AsyncIterable<string>) {
      const text = fromWindows1252(latin);
      if (text === undefined) throw new Refusal(`${path}: ${notText}`);
      yield text;
    }
    return;
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}
