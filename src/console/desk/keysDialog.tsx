import { zenFunctions } from '#openapi/language.gen.js';
import { Dialog } from '../parts/dialog.js';
import { Facts } from '../parts/small.js';
import { useListener } from '../parts/useListener.js';
import type { Draft } from './useDraft.js';

const keys = [
  ['Ctrl+Z, Ctrl+Y', 'undo, redo'],
  ['Ctrl+S', 'keep as working copy'],
  ['Ctrl+Enter', 'run the fact'],
  ['F', 'fill the screen with what is open, and back'],
  ['?', 'these keys, what cells say, and the functions of expressions'],
  ['Enter, F2', 'write in a cell, or open a column; Enter ends it and goes down'],
  ['Tab', 'on to the next cell; after Esc out of the table'],
  ['Esc', 'takes back what was typed in a cell'],
  ['Arrows, Home, End, Page', 'from cell to cell; with Shift the selection grows, with Ctrl to the edge'],
  ['Ctrl+C, X, V', 'copy, cut, paste cells, as spreadsheets have them'],
  ['Ctrl+D', 'fill down'],
  ['Ctrl+F, Ctrl+H', 'find in cells, and replace'],
  ['Delete', 'empties cells; in the graph deletes nodes'],
  ['Arrows in the graph', 'from node to node; with Shift they move it'],
  ['Space in the graph', 'selects one node more'],
  ['Arrows in a list of tests or findings', 'from row to row, and along its buttons'],
] as const;

const cells = [
  ['< 18', 'less than 18; >, <= and >= as well'],
  ['[18..25]', 'from 18 to 25, both of them; (18..25) neither'],
  ['"DE", "FR"', 'one of these'],
  ['!= "DE"', 'any but this one'],
  ['>= d("2026-01-31")', 'on that day or later'],
  ['', 'empty: any value'],
] as const;

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" cancel="Close" onClose={onClose}>
    <Facts class="keys" of={keys.map(([key, what]) => [<kbd>{key}</kbd>, what])} />
    <h3>Conditions in cells</h3>
    <Facts class="keys" of={cells.map(([cell, what]) => [<code>{cell}</code>, what])} />
    <h3>Functions of expressions</h3>
    <p>
      What each of them does stands in{' '}
      <a href="/docs/language" target="_blank" rel="noreferrer">
        the guide to expressions
      </a>
      .
    </p>
    <Facts class="keys" of={Object.entries(zenFunctions).map(([name, takes]) => [<code>{name}</code>, takes])} />
  </Dialog>
);

interface Options {
  readonly draft: Draft;
  readonly onKeep: () => void;
  readonly onRun: () => void;
  readonly onFull: () => void;
  readonly onKeys: () => void;
}

/** The keys of the whole desk; those of the grid and of texts are their own. */
export function useDeskKeys({ draft, onKeep, onRun, onFull, onKeys }: Options): void {
  useListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    const key = event.key.toLowerCase();
    const isControl = event.ctrlKey || event.metaKey;
    const isTyping = takesText(event.composedPath()[0]);
    const own = ((): (() => void) | undefined => {
      if (isControl && key === 's') return () => draft.isDirty && onKeep();
      if (isControl && key === 'enter') return onRun;
      if (isTyping) return undefined;
      if (isControl && key === 'z') return event.shiftKey ? draft.redo : draft.undo;
      if (isControl && key === 'y') return draft.redo;
      if (isControl || event.altKey || isInGrid(event)) return undefined;
      if (key === 'f') return onFull;
      return key === '?' ? onKeys : undefined;
    })();
    if (own === undefined) return;
    event.preventDefault();
    own();
  });
}

/** There letters are typed, and undo is the text's own. */
const takesText = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  // A cell of the grid only begins what is typed.
  ((target.isContentEditable && target.role !== 'gridcell') ||
    target.matches(`textarea, select, input:not(${noTexts})`));

const noTexts = ['button', 'checkbox', 'radio', 'submit'].map((type) => `[type=${type}]`).join();

const isInGrid = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest('[role="grid"]') !== null;
