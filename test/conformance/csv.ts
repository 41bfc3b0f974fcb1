/** A record and the line on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly columns: readonly string[];
}

/**
 * Reads records parted by line ends and columns parted by semicolons. A column that begins with a double quote ends at
 * the next single one; inside, `""` stands for a quote, and semicolons and line ends are text. Blank lines are none.
 */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const record = readRecord(text, at);
    if (record.columns.length > 1 || record.columns[0] !== '') records.push({ line, columns: record.columns });
    line += text.slice(at, record.end).split('\n').length - 1;
    at = record.end;
  }
  return records;
}

function readRecord(text: string, start: number): { columns: string[]; end: number } {
  const columns: string[] = [];
  let at = start;
  for (;;) {
    const column = readColumn(text, at);
    columns.push(column.text);
    at = column.end;
    if (text[at] !== ';') break;
    at++;
  }
  if (text[at] === '\r') at++;
  return { columns, end: at + 1 };
}

const quoted = /"((?:[^"]|"")*)"?/y;
const bare = /[^;\r\n]*/y;

/** What follows a closing quote belongs to the column. */
function readColumn(text: string, start: number): { text: string; end: number } {
  quoted.lastIndex = start;
  const inQuotes = quoted.exec(text);
  bare.lastIndex = start + (inQuotes?.[0].length ?? 0);
  const rest = bare.exec(text)?.[0] ?? '';
  const opened = inQuotes?.[1]?.replaceAll('""', '"') ?? '';
  return { text: opened + rest, end: bare.lastIndex };
}
