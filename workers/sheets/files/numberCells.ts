/**
 * By column, the rows of cells that are numbers of the file and would be doubted as texts: `1.105` is no thousand where a spreadsheet
 * itself keeps it as a number.
 */
export type NumberCells = ReadonlyMap<number, ReadonlySet<number>>;

/** A number with one point and three digits behind it, as thousands have. */
export const likeThousands = /^-?\d{1,3}\.\d{3}$/;

export function addNumberCell(numbers: Map<number, Set<number>>, row: number, column: number): void {
  const rows = numbers.get(column);
  if (rows === undefined) numbers.set(column, new Set([row]));
  else rows.add(row);
}

export const isNumberCell = (
  { numbers }: { readonly numbers?: NumberCells | undefined },
  row: number,
  column: number,
): boolean => numbers?.get(column)?.has(row) === true;

/** The same number as nobody takes it for a thousand: with one place more. */
export const sureNumber = (number: string): string => (likeThousands.test(number) ? `${number}0` : number);
