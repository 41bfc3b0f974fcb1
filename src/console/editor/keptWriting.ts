import { pointsOf, withCommas, withUnit } from '../../../workers/cells/index.js';
import { rowsOf, type Fields } from '../graph/fields.js';
import { withColumnChanged } from './columnEdits.js';
import { cellColumn } from './readColumn.js';
import type { Sheet } from './sheet.js';

/** A table whose column is of the unit, or of the currencies, that its cells were written with, which numbers do not say any more. */
export function withUnitKept(before: Sheet, content: Fields, index: number): Fields {
  const now = cellColumn({ ...before, content, rows: rowsOf(content, 'rules') }, index);
  const { written, currencies = [] } = cellColumn(before, index) ?? {};
  const unit = currencies.length > 1 ? currencies.join(', ') : written;
  // Below a heading in percent, or once somebody has said so, numbers are of a hundred.
  const isOfHundred =
    unit === '%' && (now?.isPercent === true || now?.texts.some((text) => aboveOne.test(text)) === true);
  return unit === undefined || now?.kind !== 'number' || now.unit !== undefined || isOfHundred
    ? content
    : withColumnChanged(content, index, (item) => withUnit(item, unit));
}

/**
 * A table whose column goes on as its cells were written: of their unit, and one with commas until somebody says what its points are,
 * also where the cells that showed it are written otherwise by now.
 * @param isGoingOn what may need it is written next
 */
export function withWritingKept(before: Sheet, content: Fields, index: number, isGoingOn = false): Fields {
  const after = { ...before, content, rows: rowsOf(content, 'rules') };
  const [old, now] = [cellColumn(before, index), cellColumn(after, index)];
  const isAsked =
    now?.hasCommas === false &&
    (old?.hasCommas === true
      ? isGoingOn || now.texts.some((text) => threeDecimals.test(text))
      : isThousandWritten(old?.texts ?? [], now.texts));
  const kept = isAsked ? withColumnChanged(content, index, (item) => withCommas(item, true)) : content;
  return withUnitKept(before, kept, index);
}

/** Whether a number is written whose point and zeros, `1.000`, may be those of thousands: no other one of the column has three decimals. */
const isThousandWritten = (before: readonly string[], now: readonly string[]): boolean =>
  !before.some((text) => threeDecimals.test(text)) && now.some((text) => !/["']/.test(text) && pointsOf(text).isIdle);

const threeDecimals = /\d\.\d{3}(?!\d)/;

const aboveOne = /(?<![\d.])(?:[2-9]|[1-9]\d)/;
