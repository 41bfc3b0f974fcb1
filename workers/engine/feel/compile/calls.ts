import type { SyntaxNode } from '@lezer/common';
import { charge } from '../../zen/budget.js';
import { FeelFunction, kindOf, type Feel } from '../values/value.js';
import type { Code, Frame } from '../frame.js';
import { childrenOf } from '../parse.js';
import type { Run, Site } from '../feelRun.js';
import { normalName } from '../scope.js';
import { coerced, typeText } from '../types.js';
import type { Context, NodeCompiler } from './context.js';
import { checkCall } from './checks.js';
import { knownOf } from './known.js';

const parametersIn = (nodes: readonly SyntaxNode[]): SyntaxNode | undefined =>
  nodes.find(({ name }) => name === 'PositionalParameters' || name === 'NamedParameters');

export const call: NodeCompiler = (node, context) => {
  const [callee, ...rest] = childrenOf(node);
  const parameters = parametersIn(rest);
  if (callee === undefined || parameters === undefined) return context.fault(node, 'A call has parameters.');
  return callOf(context.compile(callee), context.text(callee), parameters, node, context);
};

/** `date("…")`, whose name is a word of the grammar; or `@"…"`. */
export const dateTimeLiteral: NodeCompiler = (node, context) => {
  const [first, ...rest] = childrenOf(node);
  if (first === undefined) return context.fault(node, 'This is no date or time.');
  if (first.name === 'AtLiteral') return context.compile(first);
  const name = context.nameIn(first);
  const parameters = parametersIn(rest);
  const { slot } = context.scope.resolve(name);
  const builtin = context.unit.builtins.get(name);
  if (parameters === undefined || builtin === undefined) return context.fault(node, 'A call has parameters.');
  const target: Code = slot === undefined ? () => builtin : (frame) => frame.up(slot.levels).values[slot.index] ?? null;
  return callOf(target, name, parameters, node, context);
};

function callOf(target: Code, name: string, parameters: SyntaxNode, node: SyntaxNode, context: Context): Code {
  const site = context.site(node);
  // An input may have the name of a function of the language, which is what is called then.
  const builtin = context.unit.builtins.get(normalName(name));
  const callable = (frame: Frame): FeelFunction | null => {
    const value = target(frame);
    if (value instanceof FeelFunction) return value;
    if (builtin !== undefined) return builtin;
    return frame.run.warn(site, `"${name}" is ${value === null ? 'null' : `a ${kindOf(value)}`} and cannot be called.`);
  };
  const { slot } = context.scope.resolve(normalName(name));
  // A value that is no function hides none.
  const own = slot === undefined || knownOf(slot.type) !== undefined ? builtin : undefined;
  if (parameters.name === 'NamedParameters') return namedCall(callable, own, parameters, site, context);
  const args = childrenOf(parameters).map((each) => context.compile(each));
  const known =
    own &&
    checkCall(
      own,
      args.map((arg) => context.known(arg)),
      site,
      context,
    );
  return context.ofKind((frame) => {
    charge(frame.run.state, 1);
    const called = callable(frame);
    if (called === null) return null;
    const given = args.map((arg) => arg(frame));
    return invoke(called, given, frame.run, site);
  }, known);
}

function namedCall(
  callable: (frame: Frame) => FeelFunction | null,
  own: FeelFunction | undefined,
  parameters: SyntaxNode,
  site: Site,
  context: Context,
): Code {
  const args: { name: string; value: Code }[] = [];
  for (const each of childrenOf(parameters)) {
    const [name, value] = childrenOf(each);
    if (name === undefined || value === undefined) return context.fault(each, 'A named parameter has a value.');
    args.push({ name: context.nameIn(name), value: context.compile(value) });
  }
  const known =
    own && checkCall(own, new Map(args.map(({ name, value }) => [name, context.known(value)])), site, context);
  return context.ofKind((frame) => {
    charge(frame.run.state, 1);
    const called = callable(frame);
    if (called === null) return null;
    const given = new Map(args.map(({ name, value }) => [name, value(frame)]));
    return invokeNamed(called, given, frame.run, site);
  }, known);
}

/** Calls a function with arguments in order. */
export function invoke(called: FeelFunction, args: readonly Feel[], run: Run, site: Site): Feel {
  const { parameters } = called;
  if (parameters === undefined) return called.call(args, run, site);
  if (args.length !== parameters.length) {
    return run.warn(site, `"${called.name}" takes ${parameters.length} arguments, not ${args.length}.`);
  }
  const taken: Feel[] = [];
  for (const [index, { name, type }] of parameters.entries()) {
    const arg = args[index] ?? null;
    const value = coerced(arg, type, run);
    if (value === undefined) {
      return run.warn(site, `"${called.name}" takes ${typeText(type)} as "${name}", not this ${kindOf(arg)}.`);
    }
    taken.push(value);
  }
  return called.call(taken, run, site);
}

/** Calls a function with arguments by their parameters' names. */
export function invokeNamed(called: FeelFunction, args: ReadonlyMap<string, Feel>, run: Run, site: Site): Feel {
  const { parameters } = called;
  if (parameters === undefined) {
    return called.callNamed === undefined ? run.warn(site, 'It takes no names.') : called.callNamed(args, run, site);
  }
  if (args.size !== parameters.length) {
    return run.warn(site, `"${called.name}" takes ${parameters.length} arguments, not ${args.size}.`);
  }
  const ordered: Feel[] = [];
  for (const { key, name } of parameters) {
    const arg = args.get(key);
    if (arg === undefined) return run.warn(site, `"${called.name}" needs "${name}".`);
    ordered.push(arg);
  }
  return invoke(called, ordered, run, site);
}
