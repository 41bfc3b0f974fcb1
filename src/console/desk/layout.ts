import { useState } from 'preact/hooks';
import { keep, readKept } from '../parts/kept.js';

/** How somebody likes the desk; it tells nothing of the work on it. */
interface Layout {
  readonly areDecisionsOpen: boolean;
  readonly areFaultsOpen: boolean;
  /** Of the panel at the right, in pixels. */
  readonly panelWidth: number;
}

const keptUnder = 'verdict desk';
const first: Layout = { areDecisionsOpen: true, areFaultsOpen: true, panelWidth: 340 };

const kept = (): Layout => ({ ...first, ...(readKept('browser', keptUnder) as Partial<Layout> | null) });

/** One of these, and what sets it. Where the storage is refused, it lasts as long as the page. */
export function useLayout<Name extends keyof Layout>(name: Name) {
  const [value, setValue] = useState(() => kept()[name]);
  const set = (next: Layout[Name]): void => {
    keep('browser', keptUnder, { ...kept(), [name]: next });
    setValue(() => next);
  };
  return [value, set] as const;
}
