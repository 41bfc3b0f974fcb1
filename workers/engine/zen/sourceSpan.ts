import { EngineError, type EngineErrorCode } from '../errors.js';
import type { RunState } from '../values.js';

/** UTF-16 units of a source: [start, end). */
export type Span = readonly [start: number, end: number];

/** A span of an expression, captured at compile time so that a failing closure can name it. */
export interface SourceSpan {
  readonly source: string;
  readonly span: Span;
}

/** A text of the model or the fact as messages show it. */
export function quoted(text: string): string {
  return `\`${text}\``;
}

/** An error at a span of an expression; the caller throws it. */
export function errorAt(site: SourceSpan, code: EngineErrorCode, message: string): EngineError {
  return new EngineError(code, message, { source: site.source, span: site.span });
}

/** A text that one operation makes. @throws EngineError `limit_string` */
export function checkedText(site: SourceSpan, { limits: { stringLength: most } }: RunState, text: string): string {
  if (text.length > most) throw errorAt(site, 'limit_string', `the text would be longer than ${most} characters`);
  return text;
}

/** The length of a list that one operation makes. @throws EngineError `limit_array` */
export function checkLength(site: SourceSpan, { limits: { arrayLength: most } }: RunState, length: number): void {
  if (length > most) throw errorAt(site, 'limit_array', `the list would have more than ${most} items`);
}
