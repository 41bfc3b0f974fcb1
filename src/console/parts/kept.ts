import { parseJson } from '../api/exactJson.js';

/** What lasts as long as the tab, and what outlives it. */
const storages = { tab: () => sessionStorage, browser: () => localStorage };

type Storages = keyof typeof storages;

/** What the browser keeps for the page; null where there is nothing, or where it keeps nothing for anybody. */
export function readKept(where: Storages, name: string): unknown {
  try {
    const text = storages[where]().getItem(name);
    return text === null ? null : parseJson(text);
  } catch {
    return null;
  }
}

/** @param value undefined is kept no more @returns whether the browser has room for it, and is allowed to keep anything */
export function keep(where: Storages, name: string, value: unknown): boolean {
  try {
    if (value === undefined) storages[where]().removeItem(name);
    else storages[where]().setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** How the names of drafts begin. */
export const draftName = 'verdict draft ';

/** Whether the browser keeps a draft of somebody. */
export const hasDrafts = (): boolean => namesKept(draftName).length > 0;

/** What the browser keeps under names that begin so, in their order. */
export function namesKept(beginning: string): readonly string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(beginning))
      .sort();
  } catch {
    return [];
  }
}
