/** The columns of a line: parted by semicolons; a column in double quotes may hold them, and `""` for a quote. */
export function parseRow(line: string): string[] {
  const columns: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const quoted = line[at] === '"' ? /"((?:[^"]|"")*)"(?=;|$)/y : undefined;
    if (quoted) quoted.lastIndex = at;
    const match = quoted?.exec(line);
    const end = match ? at + match[0].length : line.indexOf(';', at);
    const stop = end < 0 ? line.length : end;
    columns.push(match ? (match[1] ?? '').replaceAll('""', '"') : line.slice(at, stop));
    at = stop + 1;
  }
  return columns;
}
