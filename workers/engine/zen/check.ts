import { asEngineError, type EngineError, type Diagnostic } from '../errors.js';
import type { ExpressionOptions } from './compile.js';
import { createContext } from './compile/context.js';
import { compileRoot } from './compile/index.js';
import { parseStandard, parseUnary } from './parser/index.js';

/**
 * All diagnostics of a source, in its order: syntax (the first only), unknown functions, wrong counts of arguments, and
 * operations on constants that must fail when they run. Empty when all is well. Never throws.
 */
export function checkExpression(
  source: string,
  kind: 'standard' | 'unary',
  options: ExpressionOptions = {},
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const collect = (error: EngineError): void => void diagnostics.push(error.toDiagnostic());
  try {
    const tree = kind === 'unary' ? parseUnary(source, options.limits) : parseStandard(source, options.limits);
    compileRoot(createContext(source, tree, { ...options, refuse: collect, warn: collect }), tree);
  } catch (error) {
    const known = asEngineError(error);
    if (known === undefined) throw error;
    collect(known);
  }
  return diagnostics.sort((a, b) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0));
}
