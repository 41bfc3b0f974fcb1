// One script for the dialogs that are not seen at first. The session goes along: every other page has it, so that what all share stays one script.
export { Conflict } from './conflict.js';
export { togetherIn } from '../analysis/together.js';
export { ImportDialog } from './importDialog.js';
export { ColumnDialog } from '../editor/nodes/columnDialog.js';
export { DocumentColumn } from '../editor/nodes/documentColumn.js';
export { FilterDialog } from '../editor/nodes/filterDialog.js';
export { NumbersDialog } from '../editor/nodes/numbersDialog.js';
export { PasteDialog } from '../editor/nodes/pasteDialog.js';
export { ReplaceDialog } from '../editor/nodes/replaceDialog.js';
export { KeysDialog } from './keysDialog.js';
export { RunsNote } from './runsNote.js';
export { RepairDialog } from './repairDialog.js';
export { SheetPreview } from '../decisions/sheetPreview.js';
export { putRight, withPutRight } from '../decisions/keptRepairs.js';
export { useSession } from '../shell/session.js';
export { useRouter } from '../shell/address.js';
export { lazy } from '../parts/failure.js';
export { VersionDialog } from './versionDialog.js';
