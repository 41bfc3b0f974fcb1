import { stringify, type Value } from './engine/index.js';

const opening = /^\s*\{\s*"fact"\s*:\s*/;

/**
 * The text of a body's fact. Mostly a slice of the body's text, because serialising the fact again costs more than many
 * a decision. Facts are objects: where other text stands between the first colon and the last brace, another member
 * comes after the fact (in evaluations) or before it, or the fact comes twice, perhaps with its name escaped. Then it
 * is serialised.
 * @param fact what `JSON.parse` made of it
 */
export function factText(body: string, fact: Value): string {
  const start = opening.exec(body)?.[0].length;
  if (start === undefined || body.includes('"fact"', start) || body.includes('\\u')) return stringify(fact);
  const text = body.slice(start, body.lastIndexOf('}')).trimEnd();
  return text.endsWith('}') ? text : stringify(fact);
}
