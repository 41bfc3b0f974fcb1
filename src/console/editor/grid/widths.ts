/** Widths of columns that somebody has set, for as long as the tab is open. */
const name = (keptUnder: string): string => `verdict widths ${keptUnder}`;

/** The oldest go when there is no room: they are not worth an error. */
export function keepWidth(keptUnder: string, column: string, width: number): void {
  try {
    sessionStorage.setItem(name(keptUnder), JSON.stringify({ ...kept(keptUnder), [column]: width }));
  } catch {
    // The storage is full, or refused.
  }
}

export function forgetWidth(keptUnder: string, column: string): void {
  const { [column]: _gone, ...others } = kept(keptUnder);
  sessionStorage.setItem(name(keptUnder), JSON.stringify(others));
}

export const keptWidth = (keptUnder: string, column: string): number | undefined => kept(keptUnder)[column];

function kept(keptUnder: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(sessionStorage.getItem(name(keptUnder)) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}
