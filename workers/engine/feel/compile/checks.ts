import type { SyntaxNode } from '@lezer/common';
import { asEngineError } from '../../errors.js';
import { childrenOf } from '../parse.js';
import { Run, type Site } from '../feelRun.js';
import { bare, coerced, isOf, typeText } from '../types.js';
import { compare } from '../values/compare.js';
import {
  kindOf,
  unknownArgument,
  type Argument,
  type FeelFunction,
  type Feel,
  type FeelType,
  type Kind,
} from '../values/value.js';
import type { Context, Unit } from './context.js';
import { isSingle, knownOf, type Known } from './known.js';

// Parts that are FEEL but never hold, or are always null, by what is known of them before they run.

/** Tells of two values that are compared though no value of the one kind is ever compared with one of the other. */
export function checkCompared(
  node: SyntaxNode,
  [a, b]: readonly (Known | undefined)[],
  context: Context,
  operator = '=',
): void {
  if (a === undefined || b === undefined || !isSingle(a.kind) || !isSingle(b.kind)) return;
  if (a.kind !== b.kind) context.doubt(node, `A ${a.kind} and a ${b.kind} cannot be compared.`);
  else if (a.kind === 'boolean' && operator !== '=' && operator !== '!=')
    context.doubt(node, 'Booleans have no order.');
}

/** Tells of a value that is none of those which its type allows. */
export function checkAllowed(node: SyntaxNode, type: FeelType, { kind, value }: Known, context: Context): void {
  if (value === undefined || !isSingle(kind) || knownOf(type)?.kind !== kind) return;
  if (!allowing(type, context.unit)(value))
    context.doubt(
      node,
      `This is none of the values ${type.kind === 'constrained' ? `that are allowed: ${type.text}` : `of ${typeText(type)}`}.`,
    );
}

/** Whether a literal is a value of the type, asked once of each. */
export function allowing(type: FeelType, { dry }: Unit): (value: Feel) => boolean {
  const known = new Map<Feel, boolean>();
  const run = new Run(dry);
  return (value) => {
    const answer = known.get(value) ?? attempt(() => isOf(value, type, run)) ?? true;
    known.set(value, answer);
    return answer;
  };
}

/** Whether a value may stand in a column of results of the type: one that cannot is null whenever its rule matches. */
export const isGiven = (value: Feel, type: FeelType, { dry }: Unit): boolean =>
  attempt(() => coerced(value, type, new Run(dry)) !== undefined) ?? true;

/** Tells of a value in a column of results of another type. @param what begins the message */
export function checkGiven(
  node: SyntaxNode,
  { kind, value }: Known,
  { type, what }: ValueCell,
  context: Context,
): void {
  const base = bare(type);
  const wanted = knownOf(base.kind === 'list' ? base.item : base)?.kind;
  const isOther =
    value === undefined
      ? wanted !== undefined &&
        (isSingle(kind) || kind === 'range') &&
        kind !== wanted &&
        !(kind === 'date' && wanted === 'date and time')
      : !isGiven(value, type, context.unit);
  const misread = misreadAs(node, kind, context);
  if (misread !== undefined) context.doubt(node, misread);
  else if (isOther) context.doubt(node, `${what} is a ${kind}, which is not of its type: ${typeText(type)}.`);
}

/** What people take for a value, and FEEL for something else: `all` is a function, `2026-01-31` is 1994, `01/31/2026` near 0. */
export function misreadAs(node: SyntaxNode, kind: Kind, context: Context): string | undefined {
  if (kind === 'function') return 'This is a function of FEEL, and no value.';
  const text = context.text(node);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return 'This is the difference of three numbers, and no date.';
  const isQuotient = /^(?:\d{1,2}\/\d{1,2}\/(?:\d\d|\d{4})|\d{4}\/\d{1,2}\/\d{1,2})$/.test(text);
  return isQuotient ? 'This is the quotient of three numbers, and no date.' : undefined;
}

/** A cell of a table that is a value. */
export interface ValueCell {
  readonly type: FeelType;
  /** Which one it is, to begin a message. */
  readonly what: string;
}

/** Tells of a range that holds nothing; gives what is known of it. */
export function checkRange(node: SyntaxNode, bounds: readonly (Known | undefined)[], context: Context): Known {
  const [low, high] = bounds;
  checkCompared(node, bounds, context);
  if (low?.value !== undefined && high?.value !== undefined && (compare(low.value, high.value) ?? 0) > 0) {
    const [open, from, , to, close] = childrenOf(node).map((each) => context.text(each));
    const turned = `${open}${to}..${from}${close}`;
    const repair = context.place.source.slice(0, node.from) + turned + context.place.source.slice(node.to);
    context.doubt(node, 'The range ends before it begins.', { hint: `Write ${turned}.`, repair });
  }
  const bound = low?.kind ?? high?.kind;
  return { kind: 'range', ...(bound === undefined ? {} : { bound }) };
}

/** Functions that make a value of their arguments and of nothing else: of literals it is always the same. */
const makers: ReadonlySet<string> = new Set(['date', 'time', 'date and time', 'duration', 'number', 'range']);
/** Functions that refuse a pattern whatever the text is. */
const ofPatterns: ReadonlySet<string> = new Set(['matches', 'replace', 'split']);
type Arguments = readonly (Known | undefined)[] | Map<string, Known | undefined>;

type Given = Exclude<Argument, undefined>;

/** An argument that is null may mean that there is none. */
const argument = (known: Known | undefined): Given => known?.value ?? unknownArgument;

/** Tells of a call of one of the language's functions that never has a value; gives what is known of its result. */
export function checkCall(builtin: FeelFunction, args: Arguments, site: Site, context: Context): Known | undefined {
  const { name, foresight } = builtin;
  const known = foresight?.gives === undefined ? undefined : { kind: foresight.gives };
  const given: Given[] | Map<string, Given> =
    args instanceof Map ? new Map([...args].map(([key, each]) => [key, argument(each)])) : args.map(argument);
  const refused = foresight?.refuses(given);
  if (refused !== undefined) context.doubt(site, `\`${name}\` ${refused}`, { hint: calledAs(builtin) });
  if (refused !== undefined || given instanceof Map) return known;
  return knownOfResult(builtin, given, site, context) ?? known;
}

const calledAs = ({ name, foresight }: FeelFunction): string =>
  `It is called as \`${foresight?.calls.join('` or `') ?? name}\`, for instance \`${foresight?.example ?? name}\`.`;

function knownOfResult(
  builtin: FeelFunction,
  given: readonly Given[],
  site: Site,
  context: Context,
): Known | undefined {
  const isMaker = makers.has(builtin.name);
  if (!isMaker && !ofPatterns.has(builtin.name)) return undefined;
  const [first, ...others] = given;
  const dry = !isMaker && first === unknownArgument ? ['', ...others] : given;
  const values = dry.filter((each): each is Feel => each !== unknownArgument);
  if (values.length < dry.length) return undefined;
  const value = tried(builtin, values, site, context);
  return isMaker && value !== undefined && value !== null ? { kind: kindOf(value), value } : undefined;
}

/** The value of a call with arguments that are known: null is told. Undefined where the check has no time left. */
function tried(builtin: FeelFunction, args: readonly Feel[], site: Site, context: Context): Feel | undefined {
  const run = new Run(context.unit.dry);
  const value = attempt(() => builtin.call(args, run, site));
  const [warning] = run.warnings();
  if (value === null && warning !== undefined) context.doubt(site, warning.message, { hint: calledAs(builtin) });
  return value;
}

/** Undefined where a limit of the check ends it. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (asEngineError(error) === undefined) throw error;
    return undefined;
  }
}
