import { membersOf } from '../../graph/fields.js';
import { keep, readKept } from '../../parts/kept.js';

const name = (keptUnder: string): string => `verdict widths ${keptUnder}`;

/** Widths of columns that somebody has set, by their ids, for as long as the tab is open. */
export function keptWidths(keptUnder: string): Readonly<Record<string, unknown>> {
  const kept = readKept('tab', name(keptUnder));
  return membersOf(kept);
}

/** @param width null where it is to be as wide as its cells want it */
export const keepWidth = (keptUnder: string, column: string, width: number | null): boolean =>
  keep('tab', name(keptUnder), { ...keptWidths(keptUnder), [column]: width });
