/** Of each row that is there, and of each one of the file. */
interface Conditions {
  readonly present: readonly string[];
  readonly file: readonly string[];
}

/**
 * Matches the rows of a file that carry no id to those that are there: first by what they hold, then by their conditions where no
 * other row has the same, then by position, between two that are matched. Gives for each row of the file the index of the other, or
 * undefined for a new one.
 * @param present what each row holds, as a text
 */
export function matchRows(
  present: readonly string[],
  file: readonly string[],
  conditions?: Conditions,
): (number | undefined)[] {
  const byContent = new Map<string, number[]>();
  present.forEach((text, index) => {
    const list = byContent.get(text);
    if (list === undefined) byContent.set(text, [index]);
    else list.push(index);
  });
  for (const list of byContent.values()) list.reverse();
  const matched = file.map((text) => byContent.get(text)?.pop());
  const taken = new Set(matched);
  const [known, own] = [placesOf(conditions?.present ?? []), placesOf(conditions?.file ?? [])];
  for (const [text, at] of own) {
    const found = known.get(text);
    if (at === undefined || found === undefined || matched[at] !== undefined || taken.has(found)) continue;
    matched[at] = found;
    taken.add(found);
  }
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

/** Where each text stands; undefined for one that several rows have. */
function placesOf(texts: readonly string[]): Map<string, number | undefined> {
  const places = new Map<string, number | undefined>();
  for (const [at, text] of texts.entries()) places.set(text, places.has(text) ? undefined : at);
  return places;
}
