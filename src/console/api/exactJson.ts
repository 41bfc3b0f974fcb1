interface RawJson {
  rawJSON?: (text: string) => unknown;
}
interface Context {
  readonly source?: string;
}

/** What may be a number that JavaScript would write otherwise: a long one, `1.50`, `1e3`, `-0`. */
const unusualNumber = /[\d.]{16}|\.\d*0(?!\d)|\d[eE][+-]?\d|-0/;

/**
 * Parses JSON and keeps every digit of every number for `JSON.stringify`, where the browser can (`JSON.rawJSON`): what is
 * shown and saved is what the service said. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const { rawJSON } = JSON as RawJson;
  if (rawJSON === undefined || !unusualNumber.test(text)) return JSON.parse(text);
  const keep = (_key: string, value: unknown, context?: Context): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? rawJSON(context.source)
      : value;
  return JSON.parse(text, keep);
}

/** What a text means as JSON, where it is some. */
export function jsonOr(text: string, instead: unknown): unknown {
  try {
    return parseJson(text);
  } catch {
    return instead;
  }
}

/** In a line of text. */
export const shortJson = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** As people read it. */
export const formatJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));
