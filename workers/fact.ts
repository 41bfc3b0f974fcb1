import {
  DmnProgram,
  EngineError,
  longDecimal,
  readJson,
  stringify,
  type Value,
  type ValueObject,
} from './engine/index.js';

const opening = /^\s*\{\s*"fact"\s*:\s*/;
/** Messages about a fact give pointers from the fact on, so the body's part of them is cut off. */
const inBody = '`/fact';

/** A fact as it was read. */
export interface Fact {
  readonly fact: Value;
  /** Whether none of its numbers needs a decimal. */
  readonly plain: boolean;
  /** Decisions and services whose values are wanted; undefined for those that the model gives by itself. */
  readonly select: readonly string[] | undefined;
  /** Where the fact has a number that only FEEL can hold: the error that a run in ZEN ends with. */
  readonly onlyForFeel: EngineError | undefined;
}

/** The fact for a program of either language, or the error where that language cannot hold one of its numbers. */
export const factFor = (program: unknown, read: Fact | EngineError): Fact | EngineError =>
  read instanceof EngineError || program instanceof DmnProgram ? read : (read.onlyForFeel ?? read);

/** The body of a request with that fact and that selection, all as JSON texts. @param selection null for none */
export const bodyOf = (fact: string, selection: string | null | undefined): string =>
  selection === null || selection === undefined ? `{"fact":${fact}}` : `{"fact":${fact},"select":${selection}}`;

/** The fact of a body (JSON) with all digits of its numbers; the error of a number that no run can be given. */
export function readFact(body: string): Fact | EngineError {
  let onlyForFeel: EngineError | undefined;
  try {
    const { value, plain } = readJson(body, (token, error) => {
      const long = longDecimal(token);
      if (long === undefined) throw error;
      onlyForFeel ??= named(error);
      return long;
    });
    const { fact, select } = value as ValueObject as { readonly fact: Value; readonly select?: string[] };
    return { fact, plain, select, onlyForFeel };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return named(error);
  }
}

const named = ({ code, message }: EngineError): EngineError => new EngineError(code, message.replace(inBody, '`'));

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
