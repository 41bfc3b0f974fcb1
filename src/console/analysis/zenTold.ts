const key = String.raw`\["(?:[^"\\]|\\.)*"\]`;

// How reports write what they say of fields, as sources of expressions.

/** Of a field of ZEN. */
export const path = String.raw`(?:\$root${key}|[\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}\p{N}_]+|${key})*`;
export const text = String.raw`'[^']*'|"(?:[^"\\]|\\.)*"`;
export const value = String.raw`(?:d\((?:${text})\)|${text}|-?\d[\d.]*(?:e[+-]?\d+)?)`;

/** A condition that compares with values. */
export const toldOf = (one: string): string =>
  String.raw`(?:!=|[<>]=?|=) ${one}|(?:not )?in \[${one}(?:, ${one})*\]|in [[(]${one}\.\.${one}[\])]`;

const clockTold = new RegExp(String.raw`time\((${path})\) (${toldOf(String.raw`time\("[^"]*"\)`)})`, 'gu');

/** Times of fields as if they were days of theirs, which people and cells tell alike, and these fields. */
export function withoutClock(reported: string): { readonly message: string; readonly clocks: ReadonlySet<string> } {
  const clocks = new Set<string>();
  const message = reported.replaceAll(clockTold, (_, field: string, condition: string) => {
    clocks.add(field);
    return `${field} ${condition.replaceAll(/time\("([^"]*)"\)/g, "d('$1')")}`;
  });
  return { message, clocks };
}
