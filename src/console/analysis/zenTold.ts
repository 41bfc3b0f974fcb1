const key = String.raw`\["(?:[^"\\]|\\.)*"\]`;

// How reports write what they say of fields, as sources of expressions.

/** Of a field of ZEN. */
export const path = String.raw`(?:\$root${key}|[\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}\p{N}_]+|${key})*`;
export const text = String.raw`'[^']*'|"(?:[^"\\]|\\.)*"`;
export const value = String.raw`(?:d\((?:${text})\)|${text}|-?\d[\d.]*(?:e[+-]?\d+)?)`;

/** A condition that compares with values. */
export const toldOf = (one: string): string =>
  String.raw`(?:!=|[<>]=?|=) ${one}|(?:not )?in \[${one}(?:, ${one})*\]|in [[(]${one}\.\.${one}[\])]`;
