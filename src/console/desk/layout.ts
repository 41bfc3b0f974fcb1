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

export function keptLayout(): Layout {
  try {
    return { ...first(), ...(JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Layout>) };
  } catch {
    return first();
  }
}

export function keepLayout(changed: Partial<Layout>): void {
  try {
    localStorage.setItem(name, JSON.stringify({ ...keptLayout(), ...changed }));
  } catch {
    // The storage is refused: it lasts as long as the page.
  }
}
