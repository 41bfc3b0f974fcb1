import { test } from './literals.js';

// Alternatives that together take everything, as `>= 100, < 200` does: who writes so means both, and a comma is *or*.

/** One comparison, by the order of what it compares with; `in` and `not in` have several. */
interface Test {
  readonly text: string;
  readonly operator: string;
  readonly operands: readonly string[];
}
type Alternative = readonly Test[];

const part = new RegExp(`(${test})(?:( +and +)|( +or +)| *, *|$)`, 'y');
const interval = /^([[(]) *(.+?) *\.\. *(.+?) *([\])])$/;
const member = /^(not +)?in +\[(.*)\]$/;
const comparison = /^(?:(?:d|time)\(\$\) *)?([<>]=?|[=!]=)? *(.+)$/;
const operand = /"[^"]*"|'[^']*'|[^\s,]+/g;

const exceptions: ReadonlySet<string> = new Set(['!=', 'not in']);
const isException = ([first, ...others]: Alternative): boolean =>
  others.length === 0 && exceptions.has(first?.operator ?? '');
const isValue = ([first, ...others]: Alternative): boolean =>
  others.length === 0 && (first?.operator === '==' || first?.operator === 'in');

/**
 * What is meant by alternatives in ZEN that take everything together: empty where nobody can say, undefined where they do not.
 * @param written what a person has written otherwise: an exception among others is none of them then, as in `5-10, not 7`
 */
export function readTogether(cell: string, written?: { readonly hasOr: boolean }): readonly string[] | undefined {
  // Lists of values are many, and long.
  if (!/!=|\bnot\b/.test(cell) && !(cell.includes('<') && cell.includes('>'))) return undefined;
  const { alternatives, hasOr } = alternativesIn(cell);
  if (alternatives.length < 2) return undefined;
  if (!(written !== undefined && alternatives.some(isException)) && !takeAll(alternatives)) return undefined;
  const meant = bothOf(alternatives);
  const isSure = meant !== undefined && !takeAll(alternativesIn(meant).alternatives);
  // Who writes *or* may know what it says; and bounds that only meet are hardly a range.
  return [
    ...(isSure ? [meant] : []),
    ...(hasOr || written?.hasOr === true || (!isSure && !alternatives.some(isException)) ? [''] : []),
  ];
}

function alternativesIn(cell: string): { readonly alternatives: readonly Alternative[]; readonly hasOr: boolean } {
  const alternatives: Test[][] = [];
  let [isJoined, hasOr] = [false, false];
  for (part.lastIndex = 0; part.lastIndex < cell.length;) {
    const found = part.exec(cell);
    if (found === null) return { alternatives: [], hasOr: false };
    const [, text = '', and, or] = found;
    const tests = testsOf(text);
    if (isJoined) alternatives.at(-1)?.push(...tests);
    else alternatives.push([...tests]);
    isJoined = and !== undefined;
    hasOr ||= or !== undefined;
  }
  return { alternatives, hasOr };
}

function testsOf(text: string): readonly Test[] {
  const [, open, low = '', high = '', close] = interval.exec(text) ?? [];
  if (open !== undefined)
    return [
      { text, operator: open === '[' ? '>=' : '>', operands: [low] },
      { text: '', operator: close === ']' ? '<=' : '<', operands: [high] },
    ];
  const [, not, list] = member.exec(text) ?? [];
  if (list !== undefined)
    return [{ text, operator: not === undefined ? 'in' : 'not in', operands: list.match(operand) ?? [] }];
  const [, operator = '==', value = ''] = comparison.exec(text) ?? [];
  return [{ text, operator, operands: [value] }];
}

/** What ZEN compares: a number, or the text of a day, of a time, or a text. */
const valueOf = (literal: string): number | string => {
  const [, inner] = /["'](.*)["']/.exec(literal) ?? [];
  return inner ?? Number(literal);
};

/** Whether each value passes one of them: those that they name, and one between each two of these, before and after all. */
function takeAll(alternatives: readonly Alternative[]): boolean {
  const values = [...new Set(alternatives.flat().flatMap(({ operands }) => operands.map(valueOf)))];
  const [first] = values;
  if (values.some((value) => typeof value !== typeof first || Number.isNaN(value))) return false;
  const places = new Map(
    [...values.sort((one, other) => (one < other ? -1 : 1))].map((value, at) => [value, 2 * at + 1]),
  );
  const placesOf = ({ operands }: Test): readonly number[] => operands.map((each) => places.get(valueOf(each)) ?? 0);
  return Array.from({ length: 2 * values.length + 1 }, (_none, place) => place).every((place) =>
    alternatives.some((tests) => tests.every((each) => passes.get(each.operator)?.(place, placesOf(each)) === true)),
  );
}

type Passes = (place: number, of: readonly number[]) => boolean;

const passes: ReadonlyMap<string, Passes> = new Map(
  Object.entries<Passes>({
    '==': (place, of) => of.includes(place),
    in: (place, of) => of.includes(place),
    '!=': (place, of) => !of.includes(place),
    'not in': (place, of) => !of.includes(place),
    '<': (place, [bound = 0]) => place < bound,
    '<=': (place, [bound = 0]) => place <= bound,
    '>': (place, [bound = 0]) => place > bound,
    '>=': (place, [bound = 0]) => place >= bound,
  }),
);

/** A lower bound and an upper one as a range, and what is in none of the exceptions. */
function bothOf(alternatives: readonly Alternative[]): string | undefined {
  const without = alternatives.filter(isException).flat();
  const ranges: string[] = [];
  const others = alternatives.filter((each) => !isException(each));
  // Whether 5 is one of them or all but 7 are, nobody can say.
  if (without.length > 0 && others.some(isValue)) return undefined;
  for (let at = 0; at < others.length; at++) {
    const range = rangeOf(others[at] ?? [], others[at + 1] ?? []);
    if (range !== undefined) at++;
    ranges.push(range ?? textOf(others[at] ?? []));
  }
  const [one = '', ...more] = without.flatMap(({ operands }) => operands);
  const rest = more.length === 0 ? `!= ${one}` : `not in [${[one, ...more].join(', ')}]`;
  if (ranges.length === 0) return rest;
  return ranges.map((range) => (without.length === 0 ? range : `${range} and ${rest}`)).join(', ');
}

const textOf = (tests: Alternative): string => tests.flatMap(({ text }) => (text === '' ? [] : [text])).join(' and ');

function rangeOf(one: Alternative, other: Alternative): string | undefined {
  const [low, high] = one[0]?.operator.startsWith('>') === true ? [one[0], other[0]] : [other[0], one[0]];
  if (one.length !== 1 || other.length !== 1 || low === undefined || high === undefined) return undefined;
  if (!low.operator.startsWith('>') || !high.operator.startsWith('<')) return undefined;
  const [[first = ''], [last = '']] = [low.operands, high.operands];
  if (valueOf(first) >= valueOf(last)) return undefined;
  return /^-?\d/.test(first)
    ? `${low.operator === '>' ? '(' : '['}${first}..${last}${high.operator === '<' ? ')' : ']'}`
    : `${low.text} and ${high.text}`;
}
