/** Widths of columns that somebody has set, for as long as the tab is open. */
const name = (place: string): string => `verdict widths ${place}`;

/** The oldest go when there is no room: they are not worth an error. */
export function keepWidth(place: string, column: string, width: number): void {
  try {
    sessionStorage.setItem(name(place), JSON.stringify({ ...kept(place), [column]: width }));
  } catch {
    // The storage is full, or refused.
  }
}

export const keptWidth = (place: string, column: string): number | undefined => kept(place)[column];

function kept(place: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(sessionStorage.getItem(name(place)) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}
