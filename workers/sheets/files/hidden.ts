import { columnName, type Note } from './grid.js';

/** What a sheet does not show. */
export interface Hidden {
  readonly rows: Set<number>;
  readonly columns: Set<number>;
}

const mostNamed = 10;

/** That rows and columns are hidden, each once: they are read as the others are, and who looks at the sheet does not see them. */
export function hiddenNotes(rows: readonly ((string | undefined)[] | undefined)[], hidden: Hidden): readonly Note[] {
  const isFilled = (cell: string | undefined): boolean => cell !== undefined;
  const own = [...hidden.rows].filter((row) => rows[row]?.some(isFilled) === true).sort((one, other) => one - other);
  const first = Math.max(
    0,
    rows.findIndex((cells: (string | undefined)[] | undefined) => cells?.some(isFilled) === true),
  );
  const columns = [...hidden.columns].filter((column) =>
    rows.some((cells?: (string | undefined)[]) => isFilled(cells?.[column])),
  );
  const note = (row: number, column: number, noun: string, names: readonly string[]): Note => {
    const one = names.length === 1;
    const named =
      names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '');
    const message = `${noun}${one ? '' : 's'} ${named} ${one ? 'is' : 'are'} hidden in the file, and ${one ? 'is read as any other' : 'are read as all others'}.`;
    return { severity: 'warning', row, column, message };
  };
  return [
    ...(own.length > 0
      ? [
          note(
            own[0] ?? 0,
            Math.max(0, rows[own[0] ?? 0]?.findIndex(isFilled) ?? 0),
            'Row',
            own.map((row) => String(row + 1)),
          ),
        ]
      : []),
    ...(columns.length > 0 ? [note(first, columns[0] ?? 0, 'Column', columns.map(columnName))] : []),
  ];
}
