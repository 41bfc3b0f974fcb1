import { useListener } from '../parts/useListener.js';
import type { Draft } from './useDraft.js';

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
