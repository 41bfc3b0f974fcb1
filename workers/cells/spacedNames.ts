// Fields whose names have blanks in them: people name them as a spreadsheet's head does, and ZEN reads several words.

export interface SpacedNames {
  /** What stands for such names, by the names in small letters. */
  readonly fields: ReadonlyMap<string, string>;
  /** Where one of them stands, or a text in quotes. */
  readonly places: RegExp;
}

/** @param fields what stands for each name, by the names in small letters */
export function spacedNames(fields: SpacedNames['fields']): SpacedNames {
  const all = [...fields.keys()]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const places = `"[^"]*"|'[^']*'|(?<![\\p{L}\\p{N}_.$])(?:${all.join('|')})(?![\\p{L}\\p{N}_])`;
  return { fields, places: new RegExp(places, 'giu') };
}

/**
 * A source with what stands for such names in their places; undefined where it has none.
 * @param read what the rest says, where that is no ZEN: a name of one word stands for each of them until then
 */
export function withSpacedNames(
  { fields, places }: SpacedNames,
  source: string,
  read: (named: string) => string | null | undefined,
): string | undefined {
  if (fields.size === 0) return undefined;
  const found: string[] = [];
  const named = source.replace(places, (name) => {
    const field = fields.get(name.toLowerCase());
    return field === undefined ? name : `spaced_${found.push(field) - 1}_`;
  });
  if (found.length === 0) return undefined;
  return (read(named) ?? named).replace(/spaced_(\d+)_/g, (_, at: string) => found[Number(at)] ?? '');
}
