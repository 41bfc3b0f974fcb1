import { habitsOf } from './habits.js';
import { headingText } from './headings.js';

// Headings in two lines: one above stands over several below, as `Years of service` over `from` and `to`.

type Row = readonly (string | undefined)[];

/** Columns under one heading of the upper line, which stands above the first of them, or, merged, above each. */
function groupsOf(upper: Row, lower: Row, width: number): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (let at = 0; at < width; at++) {
    const [own, before] = [headingText(upper[at]), headingText(upper[at - 1])];
    const group = groups.at(-1);
    if (group !== undefined && headingText(lower[at]) !== '' && (own === '' || own === before)) group.push(at);
    else if (own !== '') groups.push([at]);
  }
  return groups;
}

/** The names of two lines together: `Years of service from`. */
export function joinedHeadings(upper: Row, lower: Row): string[] {
  const width = Math.max(upper.length, lower.length);
  const over = new Map(groupsOf(upper, lower, width).flatMap((group) => group.map((at) => [at, group[0] ?? at])));
  return Array.from({ length: width }, (_none, at) => {
    const [above, below] = [headingText(upper[over.get(at) ?? at]), headingText(lower[at])];
    return below.startsWith(above) ? below : `${above} ${below}`.trim();
  });
}

/** Whether the first two rows name the columns together. What stands in the second has to be names, and not a row of the table. */
export function haveTwoLines([upper = [], lower = [], ...below]: readonly Row[]): boolean {
  const width = Math.max(upper.length, lower.length);
  const isGiven = (cells: Row, at: number): boolean => headingText(cells[at]) !== '';
  const columns = Array.from({ length: width }, (_none, at) => at).filter((at) =>
    below.some((row) => isGiven(row, at)),
  );
  const groups = groupsOf(upper, lower, width).filter((group) => group.length > 1);
  const grouped = new Set(groups.flat());
  const names = groups.map((group) => group.map((at) => headingText(lower[at])));
  const areNamed = columns.every((at) => isGiven(upper, at) || grouped.has(at));
  const areDistinct = names.every((each) => !each.includes('') && new Set(each).size === each.length);
  if (groups.length === 0 || columns.length < 3 || !areNamed || !areDistinct) return false;
  // A row of the table has cells beside the groups as well.
  const isBare = columns.some((at) => !grouped.has(at) && !isGiven(lower, at));
  const isRepeated = names.length > 1 && names.every((each) => each.join('\n') === names[0]?.join('\n'));
  const isName = (at: number): boolean => {
    const text = headingText(lower[at]);
    if (!/\p{L}|^(?:19|20)\d\d$/u.test(text) || habitsOf(text, true).ordered !== undefined) return text === '';
    return !below.some((row) => headingText(row[at]) === text);
  };
  return (isBare || isRepeated) && columns.every(isName);
}
