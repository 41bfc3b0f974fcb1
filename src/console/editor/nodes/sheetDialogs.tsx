import type { Fields } from '../../graph/fields.js';
import { backToGrid } from '../grid/backToGrid.js';
import { withCells, type CellText, type Sheet } from '../sheet.js';
import type { ColumnTask } from './columnDialog.js';
import type { Filter } from './filter.js';
import type { Paste } from '../pastedHeader.js';
import type { MenuPlace, SheetAction } from './sheetActions.js';
import { lazy } from '../../parts/failure.js';
import { Button } from '../../parts/small.js';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useListener } from '../../parts/useListener.js';

// With the first column that somebody changes or filters by, and the first sheet that somebody pastes.
const ColumnDialog = lazy(async () => (await import('../../desk/dialogParts.js')).ColumnDialog);
const FilterDialog = lazy(async () => (await import('../../desk/dialogParts.js')).FilterDialog);
const DocumentColumn = lazy(async () => (await import('../../desk/dialogParts.js')).DocumentColumn);
const NumbersDialog = lazy(async () => (await import('../../desk/dialogParts.js')).NumbersDialog);
const PasteDialog = lazy(async () => (await import('../../desk/dialogParts.js')).PasteDialog);

/** What is asked, or offered, before something is done. */
export type Asked =
  | { readonly kind: 'column'; readonly task: ColumnTask }
  | { readonly kind: 'filter'; readonly column: number }
  | { readonly kind: 'numbers'; readonly cells: readonly Omit<CellText, 'text'>[] }
  | { readonly kind: 'paste'; readonly paste: Paste }
  | { readonly kind: 'menu'; readonly at: { readonly x: number; readonly y: number }; readonly of: MenuPlace };

interface SheetDialogsProps {
  readonly asked: Asked;
  readonly sheet: Sheet;
  readonly filter: Filter;
  readonly actions: readonly SheetAction[];
  readonly onContent: (content: Fields) => void;
  readonly onPasted: (content: Fields) => void;
  readonly onClose: () => void;
}

/** The dialog or menu of a sheet that is open. */
export function SheetDialogs({ asked, sheet, filter, actions, onContent, onPasted, onClose }: SheetDialogsProps) {
  switch (asked.kind) {
    case 'column': {
      const Column = sheet.isOfDocument ? DocumentColumn : ColumnDialog;
      return (
        <Column
          key={JSON.stringify(asked.task)}
          task={asked.task}
          {...{ onContent, onClose }}
          content={sheet.content}
        />
      );
    }
    case 'numbers':
      return (
        <NumbersDialog
          {...{ sheet, onClose }}
          cells={asked.cells}
          onCells={(cells) => onContent(withCells(sheet, cells))}
        />
      );
    case 'paste':
      return <PasteDialog paste={asked.paste} onContent={onPasted} {...{ sheet, onClose }} />;
    case 'menu':
      return <ContextMenu at={asked.at} actions={inGroups(actions, asked.of)} onClose={onClose} />;
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

/** What fits where the menu was asked for, each group together. */
function inGroups(actions: readonly SheetAction[], place: MenuPlace): readonly SheetAction[] {
  const fitting = actions.filter(({ on }) => on.includes(place));
  return [...new Set(fitting.map(({ group }) => group))].flatMap((group) =>
    fitting.filter((each) => each.group === group),
  );
}

interface ContextMenuProps extends Pick<SheetDialogsProps, 'actions' | 'onClose'> {
  readonly at: { readonly x: number; readonly y: number };
}

/** A menu, with a line between groups, where somebody pressed the right button, or the key for it. Arrows lead through it, Escape closes it. */
function ContextMenu({ at, actions, onClose }: ContextMenuProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    // Wholly in sight, wherever it was asked for.
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(at.x, innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(at.y, innerHeight - height - 4))}px`;
    element.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, []);
  useListener('pointerdown', ({ target }) => {
    if (!(target instanceof Node && box.current?.contains(target) === true)) onClose();
  });
  const move = (event: KeyboardEvent): void => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const from = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (to === undefined) return;
    else items.at(to % items.length)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} class="menu-box at-pointer" role="menu" aria-label="Cells" onKeyDown={move}>
      {actions.map(({ name, group, isOff = false, run }, index) => (
        <Button
          name={name}
          key={name}
          role="menuitem"
          class={`quiet${index > 0 && actions[index - 1]?.group !== group ? ' apart' : ''}`}
          aria-disabled={isOff}
          tabIndex={index === 0 ? 0 : -1}
          onClick={() => {
            if (isOff) return;
            onClose();
            backToGrid(run);
          }}
        />
      ))}
    </div>
  );
}
