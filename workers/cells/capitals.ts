import { readPlain, zenText } from './literals.js';

// Texts of a column that differ in their capitals alone, as `de1` beside `DE1` does: ZEN tells them apart, and who types hardly means to.

const none: ReadonlyMap<string, string> = new Map();

/** How a text is written in most cells that have it, by the texts that are written otherwise. */
export function capitalsIn(cells: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const cell of cells)
    if (/["']/.test(cell))
      for (const text of readPlain(cell.trim())?.texts ?? []) counts.set(text, (counts.get(text) ?? 0) + 1);
  const usual = new Map<string, string>();
  for (const [text, count] of counts) {
    const before = usual.get(text.toLowerCase());
    if (before === undefined || count > (counts.get(before) ?? 0)) usual.set(text.toLowerCase(), text);
  }
  if (usual.size === counts.size) return none;
  return new Map(
    [...counts.keys()].flatMap((text) => {
      const other = usual.get(text.toLowerCase()) ?? text;
      return other === text ? [] : [[text, other] as const];
    }),
  );
}

/** A plain cell as others of its column are written; the same where it is written so, or names both. */
export const inCapitals = (cell: string, texts: readonly string[], capitals: ReadonlyMap<string, string>): string =>
  cell.replace(/"[^"]*"|'[^']*'/g, (literal) => {
    const other = capitals.get(literal.slice(1, -1));
    return other === undefined || texts.includes(other) ? literal : zenText(other);
  });
