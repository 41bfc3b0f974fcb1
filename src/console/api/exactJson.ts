interface RawJson {
  rawJSON?: (text: string) => unknown;
}
interface Context {
  readonly source?: string;
}

/** A number so long that it may have digits which JavaScript's numbers do not keep. */
const longNumber = /[\d.]{16}/;

/**
 * Parses JSON and keeps every digit of every number for `JSON.stringify`, where the browser can (`JSON.rawJSON`): what is
 * shown and saved is what the service said. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const { rawJSON } = JSON as RawJson;
  if (rawJSON === undefined || !longNumber.test(text)) return JSON.parse(text);
  const keep = (_key: string, value: unknown, context?: Context): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? rawJSON(context.source)
      : value;
  return JSON.parse(text, keep);
}

/** In a line of text. */
export const shortJson = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** As people read it. */
export const formatJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));
