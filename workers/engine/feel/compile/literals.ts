import { numberFrom } from '../values/number.js';
import { temporalFrom } from '../values/read.js';
import { childrenOf } from '../parse.js';
import type { NodeCompiler } from './context.js';

const escapes: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }));
const escape = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|([\s\S]))/g;

/** The text that a literal in quotes stands for. */
export const stringOf = (literal: string): string => {
  const inner = literal.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  return inner.replace(escape, (whole, unit?: string, point?: string, mark?: string) => {
    if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
    if (point !== undefined) return parseInt(point, 16) <= 0x10ffff ? String.fromCodePoint(parseInt(point, 16)) : whole;
    if (mark === undefined) return whole;
    return escapes.get(mark) ?? (`"'\\`.includes(mark) ? mark : whole);
  });
};

export const numericLiteral: NodeCompiler = (node, context) => {
  const value = numberFrom(context.text(node).replace(/\s/g, ''));
  return value === undefined ? context.fault(node, 'This is no number.') : context.constant(value);
};

export const stringLiteral: NodeCompiler = (node, context) => context.constant(stringOf(context.text(node)));

export const booleanLiteral: NodeCompiler = (node, context) => context.constant(context.text(node) === 'true');

export const nullLiteral: NodeCompiler = (_, context) => context.constant(null);

const examples = 'Write it as @"2026-01-31", @"18:00:00", @"2026-01-31T18:00:00", @"P1DT2H" or @"P1Y6M".';

/** `@"2026-11-26"`. */
export const atLiteral: NodeCompiler = (node, context) => {
  const [literal] = childrenOf(node).slice(-1);
  const value = literal && temporalFrom(stringOf(context.text(literal)));
  if (value === undefined)
    return context.fault(node, 'This is no date, time, date and time, or duration.', 'type_error', examples);
  return context.constant(value);
};
