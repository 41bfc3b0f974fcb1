import { keep, readKept } from '../parts/kept.js';

/** How somebody likes the desk; it tells nothing of the work on it. */
export interface Layout {
  readonly areDecisionsOpen: boolean;
  readonly areFaultsOpen: boolean;
  /** Of the panel at the right, in pixels. */
  readonly panelWidth: number;
}

const name = 'verdict desk';
/** As the style sheet has it: below this the panes stand over one another. */
const wideFrom = 960;
const first = (): Layout => ({ areDecisionsOpen: innerWidth >= wideFrom, areFaultsOpen: true, panelWidth: 340 });

export const keptLayout = (): Layout => ({ ...first(), ...(readKept('browser', name) as Partial<Layout> | null) });

/** Where the storage is refused, it lasts as long as the page. */
export const keepLayout = (changed: Partial<Layout>): boolean => keep('browser', name, { ...keptLayout(), ...changed });
