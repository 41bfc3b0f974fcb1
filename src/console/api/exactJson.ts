import { mayLoseDigits, readWith } from '../../../workers/json/index.js';

interface RawJson {
  rawJSON?: (text: string) => unknown;
}

/**
 * Parses JSON and keeps every digit of every number for `JSON.stringify`, where the browser can (`JSON.rawJSON`): what is
 * shown and saved is what the service said. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const { rawJSON } = JSON as RawJson;
  if (rawJSON === undefined || !mayLoseDigits(text)) return JSON.parse(text);
  return readWith(text, {
    number: (token) => (String(Number(token)) === token ? Number(token) : rawJSON(token)),
  });
}

/** In a line of text. */
export const shortJson = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** As people read it. */
export const formatJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));
