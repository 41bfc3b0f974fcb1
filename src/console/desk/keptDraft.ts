import { parseJson } from '../api/exactJson.js';
import type { Model } from '../api/types.js';

/** A draft that outlives a reload of the page: models alone, never facts, which may be about people. */
interface Kept {
  readonly model: Model;
  /** Of the decision when the draft was begun. */
  readonly tag: string | null;
}

const name = (place: string): string => `verdict draft ${place}`;

export function keptDraft(place: string): Kept | null {
  try {
    const text = sessionStorage.getItem(name(place));
    return text === null ? null : (parseJson(text) as Kept);
  } catch {
    return null;
  }
}

export function keepDraft(place: string, kept: Kept): void {
  try {
    sessionStorage.setItem(name(place), JSON.stringify(kept));
  } catch {
    // It has no room there: the browser asks before the page is left.
  }
}

export const forgetDraft = (place: string): void => sessionStorage.removeItem(name(place));
