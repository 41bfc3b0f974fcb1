import { htmlOf, plainOf } from '../grid/clipboard.js';
import type { Range } from '../grid/range.js';
import { cellsOf, cleared, putInto, textsIn, type Pasting } from '../grid/transfer.js';
import type { SheetAction } from './sheetActions.js';

interface Options {
  readonly current: Pasting & { readonly range: Range };
  /** The same once the browser has asked the person, who may have gone on meanwhile. */
  readonly now: () => Pasting & { readonly range: Range };
  /** Says why nothing was done. */
  readonly onRefused: (text: string) => void;
}

/** The clipboard as the entries of the menu use it: a page may ask for it on a secure address alone, and only if the person lets it. */
export function clipboardActions({ current, now, onRefused }: Options): readonly SheetAction[] {
  const { sheet, range } = current;
  const isEmpty = range.top >= sheet.rows.length;
  const copy = async (keys: string): Promise<boolean> => {
    const cells = textsIn(sheet, range);
    const blob = (type: string, text: string): Record<string, Blob> => ({ [type]: new Blob([text], { type }) });
    try {
      const item = new ClipboardItem({ ...blob('text/plain', plainOf(cells)), ...blob('text/html', htmlOf(cells)) });
      await navigator.clipboard.write([item]);
      return true;
    } catch {
      onRefused(`This browser copies by keys alone here: press ${keys}.`);
      return false;
    }
  };
  const cut = async (): Promise<void> => {
    // What is not on the clipboard stays in the cells.
    if (await copy('Ctrl+X')) now().onCells(cleared(range), null);
  };
  const paste = async (): Promise<void> => {
    try {
      const [item] = await navigator.clipboard.read();
      const textOf = async (type: string): Promise<string> =>
        item?.types.includes(type) === true ? (await item.getType(type)).text() : '';
      const found = cellsOf({ html: await textOf('text/html'), plain: await textOf('text/plain') });
      if (found !== null) putInto(found, now(), now().range);
    } catch {
      onRefused('This browser pastes by keys alone here: press Ctrl+V.');
    }
  };
  const group = 'Clipboard';
  const on = ['cell', 'row', 'column'] as const;
  return [
    { group, on, name: 'Cut', isOff: isEmpty, run: () => void cut() },
    { group, on, name: 'Copy', isOff: isEmpty, run: () => void copy('Ctrl+C') },
    { group, on, name: 'Paste', run: () => void paste() },
  ];
}
