import type { SyntaxNode } from '@lezer/common';
import { chargeItems, charge } from '../../zen/budget.js';
import { compare } from '../values/compare.js';
import { propertyOf } from '../values/members.js';
import { FeelRange, isList, kindOf, type Feel } from '../values/value.js';
import { within, type NodeCompiler } from './context.js';
import { checkRange } from './checks.js';
import type { Code } from '../frame.js';
import { childrenOf } from '../parse.js';
import type { Site } from '../feelRun.js';
import { normalName, Scope } from '../scope.js';
import { integerOf, isNumber } from '../values/number.js';
import { stringOf } from './literals.js';

export const list: NodeCompiler = (node, context) => {
  const items = childrenOf(node)
    .filter(({ name }) => name !== '[' && name !== ']')
    .map((item) => context.compile(item));
  return context.ofKind(listCode(items), { kind: 'list' });
};

export const listCode =
  (items: readonly Code[]): Code =>
  (frame) => {
    chargeItems(frame.run.state, items.length);
    return items.map((item) => item(frame));
  };

/** The name that a node writes, blanks as in the one form of names that results show. */
export const writtenName = (text: string): string => text.trim().replace(/\s+/g, ' ');

export const contextLiteral: NodeCompiler = (node, context) => {
  const scope = new Scope(context.scope);
  const inner = context.inside(scope);
  const entries: Entry[] = [];
  for (const entry of childrenOf(node).filter(({ name }) => name === 'ContextEntry')) {
    const [key, value] = childrenOf(entry);
    if (key === undefined || value === undefined) return context.fault(entry, 'An entry of a context has no value.');
    const literal = childrenOf(key)[0];
    const text = context.text(key);
    const name = literal?.name === 'StringLiteral' ? stringOf(context.text(literal)) : writtenName(text);
    if (entries.some((each) => each.name === name))
      return context.fault(key, `A context has the entry "${name}" twice.`, 'type_error');
    const code = inner.compile(value);
    entries.push({ name, value: code, index: scope.define(name) });
  }
  return contextCode(entries);
};

/** An entry of a context, and where its value stands in the frame that later ones see. */
export interface Entry {
  readonly name: string;
  readonly value: Code;
  readonly index: number;
}

/** @param result what is wanted in place of the entries */
export const contextCode =
  (entries: readonly Entry[], result?: Code): Code =>
  (frame) => {
    chargeItems(frame.run.state, entries.length);
    const values: Feel[] = [];
    const made = new Map<string, Feel>();
    const own = within(frame, values);
    for (const { name, value, index } of entries) {
      const entry = value(own);
      values[index] = entry;
      made.set(name, entry);
    }
    return result === undefined ? made : result(own);
  };

/** `[1..5]`, `]1..5[`. */
export const interval: NodeCompiler = (node, context) => {
  const [open, low, , high, close] = childrenOf(node);
  if (!open || !low || !high || !close) return context.fault(node, 'A range has two bounds.');
  const [from, to] = [context.compile(low), context.compile(high)];
  const lowIncluded = open.name === '[';
  const highIncluded = close.name === ']';
  const site = context.site(node);
  const known = checkRange(node, [context.known(from), context.known(to)], context);
  return context.ofKind((frame) => {
    const [start, end] = [from(frame), to(frame)];
    if (start === null || end === null) return frame.run.warn(site, 'A bound of the range is null.');
    const compared = compare(start, end);
    if (compared === undefined)
      return frame.run.warn(site, `There is no range from ${kindOf(start)} to ${kindOf(end)}.`);
    if (compared > 0) return frame.run.warn(site, 'The range ends before it begins.');
    return new FeelRange(start, end, lowIncluded, highIncluded);
  }, known);
};

export const path: NodeCompiler = (node, context) => {
  const parts = childrenOf(node);
  const [first] = parts;
  const last = parts[parts.length - 1];
  if (first === undefined || last === undefined) return context.fault(node, 'A path names a member.');
  const target = context.compile(first);
  const name = normalName(context.text(last));
  const site = context.site(node);
  return (frame) => {
    const value = target(frame);
    if (value === null) return null;
    const member = propertyOf(value, name, frame.run);
    return member === undefined ? frame.run.warn(site, `A ${kindOf(value)} has no member "${name}".`) : member;
  };
};

/** `list[condition]`, `list[2]`. */
export const filter: NodeCompiler = (node, context) => {
  const [first, , second] = childrenOf(node);
  if (first === undefined || second === undefined) return context.fault(node, 'A filter has a condition.');
  const target = context.compile(first);
  const condition = context.inside(filterScope(context.scope)).compile(second);
  return isConstantNumber(second) ? indexCode(target, condition) : filterCode(target, condition, context.site(node));
};

/** The scope of a filter's condition. */
export function filterScope(outer: Scope): Scope {
  const scope = new Scope(outer, true);
  scope.define('item');
  return scope;
}

/** A value that is no list counts as a list of it alone, and null as an empty one. */
const listed = (value: Feel): readonly Feel[] => (isList(value) ? value : value === null ? [] : [value]);

const indexCode =
  (target: Code, index: Code): Code =>
  (frame) =>
    itemAt(listed(target(frame)), index(frame));

export const filterCode =
  (target: Code, condition: Code, site: Site): Code =>
  (frame) => {
    const items = listed(target(frame));
    const kept: Feel[] = [];
    for (const item of items) {
      charge(frame.run.state, 1);
      const result = condition(within(frame, [item]));
      if (result === true) kept.push(item);
      else if (isNumber(result)) return itemAt(items, result);
      else if (result !== false && result !== null) {
        return frame.run.warn(site, `A filter's condition is a ${kindOf(result)}, neither a boolean nor a number.`);
      }
    }
    chargeItems(frame.run.state, kept.length);
    return kept;
  };

const isConstantNumber = (node: SyntaxNode): boolean => node.name === 'NumericLiteral';

function itemAt(items: readonly Feel[], position: Feel): Feel {
  const index = isNumber(position) ? integerOf(position) : undefined;
  if (index === undefined || index === 0) return null;
  return items[index > 0 ? index - 1 : items.length + index] ?? null;
}
