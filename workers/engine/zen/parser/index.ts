import { formulaMessage, hintOf, isFormula, zenOf } from '../../../cells/index.js';
import { EngineError } from '../../errors.js';
import type { Limits } from '../../limits.js';
import type { Node } from '../ast.js';
import { tokenize } from '../lexer.js';
import { Cursor } from './cursor.js';
import { parseExpression } from './expression.js';
import { parseTests } from './unary.js';

/**
 * The syntax tree of a standard expression.
 * @throws EngineError `syntax_error`, `limit_depth` or `limit_ast`, with source and span.
 */
export function parseStandard(source: string, limits?: Limits): Node {
  refuseFormula(source);
  const cursor = new Cursor(source, tokenize(source, limits), limits);
  const node = parseExpression(cursor);
  if (!cursor.is('end')) throw cursor.unexpected('an operator or the end');
  return node;
}

/** The syntax tree of a unary test, as the standard expression that it stands for. Throws like `parseStandard`. */
export function parseUnary(source: string, limits?: Limits): Node {
  refuseFormula(source);
  return parseTests(new Cursor(source, tokenize(source, limits), limits, true));
}

function refuseFormula(source: string): void {
  if (!isFormula(source)) return;
  const span = [0, source.length] as const;
  const meant = zenOf(source);
  const hint = hintOf('formula', meant === null ? [] : [meant], source);
  throw new EngineError('syntax_error', formulaMessage, { source, span }, hint);
}
