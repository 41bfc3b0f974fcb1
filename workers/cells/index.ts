// The public entry: what a person means by a cell, for threads and pages alike. It imports nothing.
export {
  columnKinds,
  columnOf,
  storedKind,
  withCommas,
  withKind,
  withUnit,
  withoutCommas,
  withTexts,
  type CellColumn,
  type ColumnKind,
} from './columns.js';
export { clockPattern } from './clock.js';
export type { FormName } from './forms.js';
export { currencyOf } from './currencies.js';
export { csvCell, isSheetNumber, unguarded } from './csvCell.js';
export { formulaMessage, isFormula, zenOf } from './formula.js';
export { isWords } from './habits.js';
export { headingText } from './headings.js';
export { isOrderedCell } from './conditions.js';
export { aloneAtLast } from './lastRow.js';
export { readPlain, zenText } from './literals.js';
export { hintOf } from './messages.js';
export { kindNames, repairNames } from './names.js';
export { pointsOf } from './points.js';
export { readFault as readCell, type CellFault } from './readFault.js';
export { shifted } from './shifted.js';
export { spacedNames, withSpacedNames, type SpacedNames } from './spacedNames.js';
// Without the words for it, which pages have from the service.
export { readCell as readMeaning, type CellMeaning } from './readCell.js';
export { isEverything, isSheetTruth, maybeEverything, readTruth } from './words.js';
