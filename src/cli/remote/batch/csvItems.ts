import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { formatJson } from '../../../../workers/json/index.js';
import {
  codeColumns,
  csvFault,
  csvForm,
  fromWindows1252,
  markedEncoding,
  notText,
  readPaths,
  readRow,
  unguarded,
  type Row,
} from '../../../../workers/sheets/index.js';
import { Refusal } from '../../failures.js';

/** How a file of facts is read. */
export interface ItemFile {
  readonly path: string;
  /** Columns of a CSV file that are no part of the fact. */
  readonly keyColumn: string | undefined;
  readonly referenceColumn: string | undefined;
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** What a file tells only when all of it was read. */
interface Survey {
  readonly encoding: Encoding;
  readonly codes: ReadonlySet<number>;
}

/** The facts of a .csv as items of a batch, read as the service itself reads such a file. @throws Refusal */
export async function* csvItems({ path, keyColumn, referenceColumn }: ItemFile): AsyncGenerator<string> {
  const { encoding, codes } = await survey(path);
  const rows = rowsOf(path, encoding);
  const { value: header = [] } = (await rows.next()) as { value: Row | undefined };
  const { columns, faults } = readPaths({ name: path, rows: [header] });
  const own = [...columns].filter(({ title }) => title === keyColumn || title === referenceColumn);
  const facts = columns.filter((column) => !own.includes(column));
  for await (const cells of rows) {
    const fact = readRow({ name: path, rows: [cells] }, 0, { columns: facts, codes, faults: [] });
    const named = own.map(({ title, at }) => [title === keyColumn ? 'key' : 'reference', cells[at] ?? '']);
    yield formatJson({ ...(Object.fromEntries(named) as object), fact });
  }
  if (faults[0] !== undefined) throw new Refusal(faults[0]);
}

async function survey(path: string): Promise<Survey> {
  const file = await open(path);
  const start = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close());
  const encoding = markedEncoding(start.buffer.subarray(0, start.bytesRead));
  try {
    return await surveyAs(path, encoding ?? 'utf-8');
  } catch (error) {
    if (!(error instanceof TypeError) || encoding !== undefined) throw error;
    return surveyAs(path, 'windows-1252');
  }
}

async function surveyAs(path: string, encoding: Encoding): Promise<Survey> {
  const codes = new Set<number>();
  let isHeader = true;
  for await (const cells of rowsOf(path, encoding)) {
    if (!isHeader) for (const at of codeColumns([cells])) codes.add(at);
    isHeader = false;
  }
  return { encoding, codes };
}

/** @throws TypeError where the file is not of that encoding */
async function* rowsOf(path: string, encoding: Encoding): AsyncGenerator<Row> {
  const texts = textsOf(path, encoding);
  const { value: first = '' } = (await texts.next()) as { value: string | undefined };
  const { delimiter, from } = csvForm(first);
  const rows = pipeline(
    Readable.from(chained(first.slice(from), texts)),
    parse({ delimiter, skip_empty_lines: true }),
    () => undefined,
  );
  try {
    for await (const cells of rows as AsyncIterable<string[]>) {
      yield cells.map((cell) => (cell === '' ? undefined : unguarded(cell)));
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
