import { asEngineError, type EngineError, type Fault } from '../errors.js';
import type { ExpressionOptions } from './compile.js';
import { createContext } from './compile/context.js';
import { compileRoot } from './compile/index.js';
import { parseStandard, parseUnary } from './parser/index.js';

/**
 * All faults of a source, in its order: syntax (the first only), unknown functions, wrong counts of arguments, and
 * operations on constants that must fail when they run. Empty when all is well. Never throws.
 */
export function checkExpression(source: string, kind: 'standard' | 'unary', options: ExpressionOptions = {}): Fault[] {
  const faults: Fault[] = [];
  const collect = (error: EngineError): void => void faults.push(error.toFault());
  try {
    const tree = kind === 'unary' ? parseUnary(source, options.limits) : parseStandard(source, options.limits);
    compileRoot(createContext(source, tree, { ...options, refuse: collect, warn: collect }), tree);
  } catch (error) {
    const known = asEngineError(error);
    if (known === undefined) throw error;
    collect(known);
  }
  return faults.sort((a, b) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0));
}
