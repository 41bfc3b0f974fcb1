import type { Fields } from '../../graph/fields.js';
import { backToGrid } from '../grid/backToGrid.js';
import { ContextMenu } from '../grid/contextMenu.js';
import type { Sheet } from '../sheet.js';
import { ColumnDialog, type ColumnTask } from './columnDialog.js';
import { FilterDialog } from './filterDialog.js';
import { PasteDialog, type Paste } from './pasteDialog.js';
import type { SheetAction } from './sheetActions.js';
import type { Filter } from './useFilter.js';

/** What is asked, or offered, before something is done. */
export type Asked =
  | { readonly kind: 'column'; readonly task: ColumnTask }
  | { readonly kind: 'filter'; readonly column: number }
  | { readonly kind: 'paste'; readonly paste: Paste }
  | { readonly kind: 'menu'; readonly at: { readonly x: number; readonly y: number } };

interface SheetDialogsProps {
  readonly asked: Asked;
  readonly content: Fields;
  readonly sheet: Sheet;
  readonly filter: Filter;
  readonly actions: readonly SheetAction[];
  readonly onContent: (content: Fields) => void;
  readonly onClose: () => void;
}

/** The dialog or menu of a sheet that is open. */
export function SheetDialogs({ asked, content, sheet, filter, actions, onContent, onClose }: SheetDialogsProps) {
  switch (asked.kind) {
    case 'column':
      return <ColumnDialog key={JSON.stringify(asked.task)} task={asked.task} {...{ content, onContent, onClose }} />;
    case 'paste':
      return <PasteDialog paste={asked.paste} {...{ content, sheet, onContent, onClose }} />;
    case 'menu':
      return (
        <ContextMenu
          at={asked.at}
          entries={actions.map((action) => ({ ...action, run: () => backToGrid(action.run) }))}
          onClose={onClose}
        />
      );
    case 'filter': {
      const column = sheet.columns[asked.column];
      if (column === undefined) return null;
      return (
        <FilterDialog
          sheet={filter.sheet}
          column={column}
          onFilter={(texts) => filter.only(column, texts)}
          onClose={onClose}
        />
      );
    }
  }
}
