/**
 * Matches the rows of a file that carry no id to those that are there: first by what they hold, then by position, between
 * two that hold the same. Gives for each row of the file the index of the other, or undefined for a new one.
 * @param present what each row holds, as a text
 */
export function matchRows(present: readonly string[], file: readonly string[]): (number | undefined)[] {
  const byContent = new Map<string, number[]>();
  present.forEach((text, index) => {
    const list = byContent.get(text);
    if (list === undefined) byContent.set(text, [index]);
    else list.push(index);
  });
  for (const list of byContent.values()) list.reverse();
  const matched = file.map((text) => byContent.get(text)?.pop());
  const taken = new Set(matched);
  let next = 0;
  for (const [index, found] of matched.entries()) {
    if (found !== undefined) {
      next = found + 1;
      continue;
    }
    // The gap ends at the next one that is taken.
    if (next < present.length && !taken.has(next)) {
      matched[index] = next;
      taken.add(next);
      next++;
    }
  }
  return matched;
}
