import { EngineError } from '../../errors.js';
import { Footprint } from '../../footprint.js';
import { defaultLimits, type Limits } from '../../limits.js';
import type { RunState, Scope, Value } from '../../values.js';
import { walk, type Node } from '../ast.js';
import type { SourceSpan, Span } from '../sourceSpan.js';
import { isObject } from '../values/kinds.js';

/** A compiled node. */
export type Evaluate = (scope: Scope) => Value;

/** A compiled node, and its value where that is known already. */
export interface Compiled {
  readonly evaluate: Evaluate;
  readonly constant: Value | undefined;
}

/**
 * The storage of a variable while an expression runs. There is one for each compiled expression, not for each run:
 * expressions are synchronous and can't call themselves, so that no other run sees it meanwhile, and a closure's round
 * costs one store. A leftover value is never read before it is set again.
 */
export interface Cell {
  value: Value;
  isSet: boolean;
}

/** What the compilation of one expression shares. */
export interface Context {
  readonly source: string;
  readonly limits: Limits;
  /** Of the program that the expression belongs to. */
  readonly footprint: Footprint;
  /** Estimated bytes of the nodes compiled so far. */
  bytes: number;
  /** The closures around the present node, innermost last. */
  readonly closures: { readonly alias: string | null; readonly cell: Cell }[];
  /** Variables that the expression assigns somewhere. */
  readonly variables: ReadonlyMap<string, Cell>;
  /** Takes a diagnostic that makes the expression impossible: throws it, or collects it for `checkExpression`. */
  readonly refuse: (error: EngineError) => void;
  /** Takes a diagnostic that shows when the expression runs, seen early since its operands are constants. */
  readonly warn: (error: EngineError) => void;
}

/** A single `=`: without one nothing is assigned, and the tree need not be searched. */
const mayAssign = /(?<![=!<>])=(?!=)/;

export function createContext(
  source: string,
  root: Node,
  options: Pick<Context, 'refuse' | 'warn'> & { limits?: Limits; footprint?: Footprint },
): Context {
  const variables = new Map<string, Cell>();
  if (mayAssign.test(source))
    walk(root, (node) => {
      if (node.kind !== 'assignments') return;
      for (const { path } of node.list) variables.set(path[0] ?? '', { value: null, isSet: false });
    });
  const { limits = defaultLimits, footprint = new Footprint(), refuse, warn } = options;
  return { source, limits, footprint, bytes: 0, closures: [], variables, refuse, warn };
}

export function siteOf(context: Context, span: Span): SourceSpan {
  return { source: context.source, span };
}

export function constant(value: Value): Compiled {
  return { evaluate: () => value, constant: value };
}

export function dynamic(evaluate: Evaluate): Compiled {
  return { evaluate, constant: undefined };
}

/** Thrown by the clock and the random source of `foldingScope`: an operation that reads them is not constant. */
class NotConstant extends Error {}

function notConstant(): never {
  throw new NotConstant();
}

function foldingScope(limits: Limits): Scope {
  const run: RunState = { limits, steps: 100_000, deadline: Infinity, now: notConstant, random: notConstant };
  return { data: null, reference: null, nodes: null, env: null, run };
}

/**
 * Constant folding: evaluates now where all operands are constant. An operation that fails is left to fail when it
 * runs.
 */
export function fold(context: Context, operands: readonly Compiled[], evaluate: Evaluate): Compiled {
  if (operands.some((operand) => operand.constant === undefined)) return dynamic(evaluate);
  try {
    const value = evaluate(foldingScope(context.limits));
    if (!isSmall(value)) return dynamic(evaluate);
    context.footprint.add(bytesOf(value));
    return constant(frozen(value));
  } catch (error) {
    if (error instanceof EngineError) context.warn(error);
    else if (!(error instanceof NotConstant)) throw error;
    return dynamic(evaluate);
  }
}

/** Large results are cheaper to make again than to keep for the life of a program. */
function isSmall(value: Value): boolean {
  return !(Array.isArray(value) && value.length > 10_000) && !(typeof value === 'string' && value.length > 10_000);
}

/** Estimated bytes, without the parts, which were counted as constants of their own. */
function bytesOf(value: Value): number {
  if (typeof value === 'string') return value.length * 2;
  if (Array.isArray(value)) return value.length * 24;
  return isObject(value) ? Object.keys(value).length * 48 : 0;
}

/** A constant is shared by all runs; freezing it makes a change by mistake loud. */
function frozen(value: Value): Value {
  if (Array.isArray(value)) {
    value.forEach(frozen);
    Object.freeze(value);
  } else if (isObject(value)) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}
