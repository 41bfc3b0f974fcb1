import type { SyntaxNode } from '@lezer/common';
import { nearest } from '../../../nearest/index.js';
import type { Code } from '../frame.js';
import type { Place } from '../feelRun.js';
import type { Resolved, Scope } from '../scope.js';
import { memberOf, propertyOf } from '../values/members.js';
import { anyType, isContext, type FeelType } from '../values/value.js';
import type { Context, NodeCompiler } from './context.js';
import { knownOf } from './known.js';

export const variable: NodeCompiler = (node, context) => nameCode(context.nameIn(node), node, context);

const nameAlone = /^\s*[\p{L}_][\p{L}\p{N}_]*(?: [\p{L}\p{N}_]+)*\s*$/u;

/** An expression that is one name of its scope, which is what most inputs of tables are; undefined for others. */
export function plainName({ source }: Place, scope: Scope): Code | undefined {
  if (!nameAlone.test(source)) return undefined;
  const name = source.trim();
  const { slot, shadows } = scope.resolve(name);
  return slot === undefined || shadows.length > 0 || scope.doubtOf(name) !== undefined ? undefined : slotCode(slot);
}

/** The expression is one word, which is a variable of its type where nothing declares it and the document allows that. */
export function assumeVariable(place: Place, scope: Scope, type: FeelType): void {
  const name = place.source.trim();
  if (!wordAlone.test(name) || literals.has(name) || scope.resolve(name).slot !== undefined) return;
  scope.assume(name, type, { place, from: 0, to: place.source.length });
}

const wordAlone = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** `?`, the value that a test looks at. */
export const tested: NodeCompiler = (node, context) => nameCode('?', node, context);

function nameCode(name: string, node: SyntaxNode, context: Context): Code {
  const { shadows, slot } = context.scope.resolve(name);
  if (slot !== undefined) tellAgain(name, node, context);
  const outer =
    slot === undefined
      ? unknown(name, node, context, shadows.length > 0)
      : context.ofKind(slotCode(slot), knownOf(slot.type));
  return shadows.reduceRight((code, levels) => shadowed(name, levels, code), outer);
}

/** The first cell that is such a word has made it a variable: the others are told as well, since each can be put right. */
function tellAgain(name: string, node: SyntaxNode, context: Context): void {
  const tell = context.scope.doubtOf(name);
  const advice = tell && context.meantBy(node);
  if (advice !== undefined) tell?.(context.site(node), advice);
}

/** A member of a filter's item, where it has one of this name. */
const shadowed =
  (name: string, levels: number, outer: Code): Code =>
  (frame) => {
    const item = frame.up(levels).values[0] ?? null;
    const member = isContext(item)
      ? memberOf(item, name)
      : special(item)
        ? propertyOf(item, name, frame.run)
        : undefined;
    return member === undefined ? outer(frame) : member;
  };

const special = (item: unknown): boolean => typeof item === 'object' && item !== null && !Array.isArray(item);

function slotCode({ levels, index }: NonNullable<Resolved['slot']>): Code {
  if (levels === 0) return (frame) => frame.values[index] ?? null;
  if (levels === 1) return (frame) => frame.parent?.values[index] ?? null;
  return (frame) => frame.up(levels).values[index] ?? null;
}

/** A function of the language, or a name that nothing has. In a filter it may be a member of some items. */
function unknown(name: string, node: SyntaxNode, context: Context, inFilter: boolean): Code {
  const builtin = context.unit.builtins.get(name);
  if (builtin !== undefined) return context.ofKind(() => builtin, { kind: 'function' });
  if (inFilter) return () => null;
  const isCalled = node.parent?.name === 'FunctionInvocation';
  const isAssumed = (): boolean => context.scope.assume(name, anyType, context.site(node), context.meantBy(node));
  const { slot } = name !== '?' && !isCalled && isAssumed() ? context.scope.resolve(name) : {};
  if (slot !== undefined) return context.ofKind(slotCode(slot), knownOf(slot.type));
  return context.fault(node, `There is no "${name}" here.`, 'unknown_name', otherName(name, context));
}

/** Names of one scope that are looked through for one that is meant. */
const mostNames = 1000;

function otherName(name: string, context: Context): string {
  if (name === 'cellInput' && context.scope.resolve('?').slot !== undefined)
    return 'The value of the input is called `?` here.';
  if (/^if$/i.test(name)) return 'A condition is written as `if … then … else …`.';
  const guess = guessOf(name, context);
  if (guess !== undefined) return `Did you mean ${guess}?`;
  return 'Declare it as input data that this decision requires, or write a text in quotes.';
}

function guessOf(name: string, { scope, unit: { builtins, guesses } }: Context): string | undefined {
  if (guesses.letters <= 0) return undefined;
  const candidates: string[] = [];
  for (const [each] of scope.all()) if (candidates.length < mostNames) candidates.push(each);
  candidates.push(...builtins.keys());
  for (const candidate of candidates) guesses.letters -= candidate.length * name.length;
  return nearest(name, candidates);
}
