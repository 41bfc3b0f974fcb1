import { stringify, type Value } from './engine/index.js';

const opening = /^\s*\{\s*"fact"\s*:\s*/;

/**
 * The text of a body's fact. Mostly a part of the body's text, which costs nothing, where writing it anew costs more than
 * many a decision. Checked for the cases where the fact is not what stands between the first colon and the last brace: other
 * members (in evaluations), and a member that comes twice, perhaps with another spelling of its name.
 * @param fact what `JSON.parse` made of it
 */
export function factText(body: string, fact: Value): string {
  const start = opening.exec(body)?.[0].length;
  const plain = start !== undefined && !body.includes('"fact"', start) && !body.includes('\\u');
  return plain ? body.slice(start, body.lastIndexOf('}')).trimEnd() : stringify(fact);
}
