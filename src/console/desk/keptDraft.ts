import { parseJson } from '../api/exactJson.js';
import type { Model } from '../api/types.js';

/** A draft that outlives the page, the tab and a crash: models alone, never facts, which may be about people. */
interface Kept {
  readonly model: Model;
  /** Of the decision when the draft was begun. */
  readonly tag: string | null;
}

const name = (keptUnder: string): string => `verdict draft ${keptUnder}`;

export function keptDraft(keptUnder: string): Kept | null {
  try {
    const text = localStorage.getItem(name(keptUnder));
    return text === null ? null : (parseJson(text) as Kept);
  } catch {
    return null;
  }
}

/** @returns whether the browser has room for it, and is allowed to keep anything */
export function keepDraft(keptUnder: string, kept: Kept): boolean {
  try {
    localStorage.setItem(name(keptUnder), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export function forgetDraft(keptUnder: string): void {
  try {
    localStorage.removeItem(name(keptUnder));
  } catch {
    // It is refused, so that there is none.
  }
}
