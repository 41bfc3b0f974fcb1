import { parseJson } from '../api/exactJson.js';
import type { Model } from '../api/types.js';

/** A draft that outlives a reload of the page: models alone, never facts, which may be about people. */
interface Kept {
  readonly model: Model;
  /** Of the decision when the draft was begun. */
  readonly tag: string | null;
}

const name = (keptUnder: string): string => `verdict draft ${keptUnder}`;

export function keptDraft(keptUnder: string): Kept | null {
  try {
    const text = sessionStorage.getItem(name(keptUnder));
    return text === null ? null : (parseJson(text) as Kept);
  } catch {
    return null;
  }
}

export function keepDraft(keptUnder: string, kept: Kept): void {
  try {
    sessionStorage.setItem(name(keptUnder), JSON.stringify(kept));
  } catch {
    // It has no room there: the browser asks before the page is left.
  }
}

export const forgetDraft = (keptUnder: string): void => sessionStorage.removeItem(name(keptUnder));
