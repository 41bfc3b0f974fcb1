/** A number with one point, which is no part of a date or of a version. A range has two points behind it, or before it. */
const pointed = /(?<![\p{L}\d,]|\d\.)(\d+)\.(\d+)(?![\p{L},]?\d|\.(?!\.))/gu;

/** What the points in the numbers of a cell can be. */
export interface Points {
  /** One is before decimals, whatever its author's habits: `12.5`, `0.125`. */
  readonly isDecimal: boolean;
  /** One may be between thousands: `1.234`. */
  readonly isGrouped: boolean;
  /** One that may be between thousands has a zero at its end, which decimals need not: `1.000`. */
  readonly isIdle: boolean;
}

const none: Points = { isDecimal: false, isGrouped: false, isIdle: false };

/** @param cell without texts in quotes */
export function pointsOf(cell: string): Points {
  if (!cell.includes('.')) return none;
  let [isDecimal, isGrouped, isIdle] = [false, false, false];
  for (const [, whole = '', decimals = ''] of cell.matchAll(pointed)) {
    const isGroup = decimals.length === 3 && whole.length <= 3 && !whole.startsWith('0');
    isDecimal ||= !isGroup;
    isGrouped ||= isGroup;
    isIdle ||= isGroup && decimals.endsWith('0');
  }
  return { isDecimal, isGrouped, isIdle };
}
