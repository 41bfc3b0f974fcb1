/**
 * Does what a button or a menu stands for, and gives the focus back to the grid's cell once that is drawn: what is typed
 * next belongs to the cell, and must not press the button again.
 */
export function backToGrid(work: () => void): void {
  work();
  // Preact draws in a task of this kind, which was asked for before.
  queueMicrotask(() => document.querySelector<HTMLElement>('.grid [tabindex="0"]')?.focus({ preventScroll: true }));
}
