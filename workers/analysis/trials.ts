import { EngineError, type Program, type ValueObject } from '../engine/index.js';
import type { AtomKind } from './atoms.js';
import { BudgetExceeded } from './budget.js';
import type { Deadline } from './deadline.js';
import { expressionOn } from './evaluate.js';
import { resultValue, witnessOf, type CheckedProperty } from './properties.js';
import type { Dimension } from './dimension.js';
import type { ReportedProperty } from './report.js';
import type { TableBoxes } from './tableBoxes.js';
import { usesOf, type Use } from './uses.js';
import { outcomeOf } from './witness.js';

/** Facts that one property is tried on. */
export const mostFacts = 50_000;
export const tooMany = `there are more than ${mostFacts} kinds of facts`;

/** Kinds of values that no fact has: it is JSON. */
export const notInFacts: ReadonlySet<AtomKind> = new Set<AtomKind>(['failed', 'date', 'invalidDate']);

/** A comparison of a property with a field of the fact. */
export type FactUse = Use & { readonly path: readonly string[] };

/** A fact of each kind that a model and a property tell apart, which then are all there are; or why they cannot be had. */
export type Trials = TriedFacts | string;

interface TriedFacts {
  readonly program: Program;
  readonly facts: Iterable<ValueObject | undefined>;
  /** Of DMN, where the property speaks of some decisions alone: they are all that is worked out. */
  readonly select?: readonly string[] | undefined;
}

/** What a property reads. */
export interface Asked {
  readonly fact: readonly FactUse[];
  /** Members of the result; null where it reads all of it. */
  readonly result: ReadonlySet<string> | null;
}

/**
 * Tries a property on a fact of each kind. What cannot be proved so is unknown, with the reason.
 * @param trialsOf given what the property compares
 */
export async function tryAll(
  property: CheckedProperty,
  until: Deadline,
  trialsOf: (asked: Asked) => Trials,
): Promise<ReportedProperty> {
  const { name } = property;
  const unknown = (reason: string): ReportedProperty => ({ name, status: 'unknown', witness: null, reason });
  const asked = askedBy(property);
  if (asked === undefined) return unknown('it does more than compare fields of the fact and the result with constants');
  try {
    const trials = trialsOf(asked);
    if (typeof trials === 'string') return unknown(trials);
    for (const fact of trials.facts) {
      if (fact === undefined) return unknown('some kinds of facts cannot be made');
      if (until.isOver()) return unknown('there was no time for all kinds of facts');
      const outcome = await outcomeOf(trials.program, fact, until, trials.select);
      if (outcome.status === 'FAILED') return unknown(`a fact ends in an error: ${outcome.message}`);
      if (property.holds(fact, resultValue(outcome.result))) continue;
      // What refutes it is what an execution gives, all of it.
      const whole = trials.select === undefined ? outcome : await outcomeOf(trials.program, fact, until);
      if (whole.status === 'FAILED') return unknown(`a fact ends in an error: ${whole.message}`);
      return { name, status: 'refuted', witness: witnessOf(fact, resultValue(whole.result)), reason: null };
    }
    return { name, status: 'proved', witness: null, reason: null };
  } catch (error) {
    if (error instanceof BudgetExceeded) return unknown('there was no time for all kinds of facts');
    if (error instanceof EngineError) return unknown(error.message);
    throw error;
  }
}

/** Undefined where the property does anything else than compare. */
function askedBy({ tree, source }: CheckedProperty): Asked | undefined {
  const fact: FactUse[] = [];
  const result = new Set<string>();
  let isWhole = false;
  for (const use of usesOf(tree, source) ?? [undefined]) {
    const [root, ...path] = use?.subject ?? [];
    const [member] = path;
    if (use !== undefined && root === 'fact' && path.length > 0) fact.push({ ...use, path });
    else if (root !== 'result') return undefined;
    else if (member === undefined) isWhole = true;
    else result.add(member);
  }
  return { fact, result: isWhole ? null : result };
}

/** What comparisons say of each atom of their field, as a text that is the same where they say the same. */
export function outcomesOf(uses: readonly Use[], { atoms }: Dimension): string[] {
  const tests = uses.map(({ subject, text }) => expressionOn(text, subject ?? []));
  return atoms.map(({ kind, value }) =>
    tests
      .map((test) => {
        const outcome = test(value);
        return typeof outcome === 'boolean' ? `${outcome}` : outcome === undefined ? 'failed' : kind;
      })
      .join(' '),
  );
}

/** The rows of tables whose cells admit each atom of a dimension, as a text that is the same for the same rows. */
export function membership(tables: readonly TableBoxes['rows'][], index: number, count: number): string[] {
  const sets = [...new Set(tables.flatMap((rows) => rows.map(({ may }) => may[index] ?? [])))];
  const texts = Array.from({ length: count }, () => '');
  sets.forEach((set, id) => {
    for (let i = 0; i < set.length; i += 2)
      for (let atom = set[i] ?? 0; atom <= (set[i + 1] ?? -1); atom++) texts[atom] = `${texts[atom] ?? ''}${id} `;
  });
  return texts;
}

/** All combinations of one member of each list. */
export function* points<T>(lists: readonly (readonly T[])[], from = 0): Iterable<T[]> {
  const list = lists[from];
  if (list === undefined) {
    yield [];
    return;
  }
  for (const member of list) for (const rest of points(lists, from + 1)) yield [member, ...rest];
}
