import type { ClosureName } from '../ast.js';

/** What the functions that take a closure are; the compiler makes loops of them. */
interface ClosureFunction {
  readonly name: ClosureName;
  readonly gives: string;
  readonly summary: string;
  readonly example: string;
}

const entries: readonly ClosureFunction[] = [
  {
    name: 'all',
    gives: 'a boolean',
    summary: 'Does the condition hold for every item?',
    example: 'all([1, 2], # > 0)',
  },
  {
    name: 'some',
    gives: 'a boolean',
    summary: 'Does the condition hold for an item?',
    example: 'some([1, 2], # > 1)',
  },
  {
    name: 'none',
    gives: 'a boolean',
    summary: 'Does the condition hold for no item?',
    example: 'none([1, 2], # > 2)',
  },
  {
    name: 'one',
    gives: 'a boolean',
    summary: 'Does the condition hold for exactly one item?',
    example: 'one([1, 2], # == 2)',
  },
  {
    name: 'filter',
    gives: 'a list',
    summary: 'The items for which the condition holds.',
    example: 'filter([1, 2], # > 1)',
  },
  {
    name: 'map',
    gives: 'a list',
    summary: 'What the expression makes of each item.',
    example: 'map([1, 2], # * 2)',
  },
  {
    name: 'flatMap',
    gives: 'a list',
    summary: 'Like map, with lists among the results replaced by their items.',
    example: 'flatMap([[1], [2]], #)',
  },
  {
    name: 'count',
    gives: 'a number',
    summary: 'For how many items does the condition hold?',
    example: 'count([1, 2], # > 1) == 1',
  },
];

export const closureFunctions: ReadonlyMap<string, ClosureFunction> = new Map(
  entries.map((entry) => [entry.name, entry]),
);
