import { EngineError, readJson, stringify, type Value } from './engine/index.js';

const opening = /^\s*\{\s*"fact"\s*:\s*/;
/** A body's fact is named from itself on, not from the body. */
const inBody = '`/fact';

/** A fact, and whether there is surely no decimal in it. */
export interface Fact {
  readonly fact: Value;
  readonly plain: boolean;
}

/** The fact of a body (JSON) with all digits of its numbers; the error of a number that no run can be given. */
export function readFact(body: string): Fact | EngineError {
  try {
    const { value, plain } = readJson(body);
    return { fact: (value as { fact: Value }).fact, plain };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return new EngineError(error.code, error.message.replace(inBody, '`'));
  }
}

/**
 * The text of a body's fact. Mostly a slice of the body's text, because serialising the fact again costs more than many
 * a decision. Facts are objects: where other text stands between the first colon and the last brace, another member
 * comes after the fact (in evaluations) or before it, or the fact comes twice, perhaps with its name escaped. Then it
 * is serialised.
 * @param read what `readFact` made of it; of a fact that no run can be given, such a text has doubles
 */
export function factText(body: string, read: Fact | EngineError): string {
  const start = opening.exec(body)?.[0].length;
  if (start !== undefined && !body.includes('"fact"', start) && !body.includes('\\u')) {
    const text = body.slice(start, body.lastIndexOf('}')).trimEnd();
    if (text.endsWith('}')) return text;
  }
  if (read instanceof EngineError) return JSON.stringify((JSON.parse(body) as { fact: unknown }).fact);
  return stringify(read.fact);
}
