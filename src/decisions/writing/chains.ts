import { defaultLimits, type Diagnostic } from '../../../workers/engine/index.js';
import { createPause } from '../../admission/pause.js';
import type { DecisionEntry, DecisionIndex } from '../decisionIndex.js';
import { maxReach } from '../limits.js';
import { usedNames, type NamesOf } from './manifest.js';

const most = defaultLimits.subDecisionDepth;

/** The longest way on from a decision that a run cannot go to its end: keys, the decision's own first. Undefined: there is none. */
export type ChainFrom = (decision: DecisionEntry) => readonly string[] | undefined;

/**
 * Finds decisions that call each other for ever, or nest deeper than a run may. Working copies are followed level by level, as
 * deep as a run goes and `maxReach` decisions far, so that the cost follows what `roots` reach and never the workspace.
 */
export async function chainsIn(
  roots: readonly DecisionEntry[],
  decisionIndex: DecisionIndex,
  namesOf: NamesOf,
): Promise<ChainFrom> {
  const calls = await callsFrom(roots, decisionIndex, namesOf);
  // The nth map has the decisions from which n calls can follow each other, each with its first call. A circle has any number.
  const steps: ReadonlyMap<string, DecisionEntry>[] = [];
  while (steps.length < most) {
    const before = steps.at(-1);
    const longer = new Map<string, DecisionEntry>();
    for (const [id, called] of calls) {
      const first = called.find((each) => before?.has(each.id) ?? true);
      if (first !== undefined) longer.set(id, first);
    }
    if (longer.size === 0) return () => undefined;
    steps.push(longer);
  }
  return (decision) => {
    const keys = [decision.key];
    let last: DecisionEntry | undefined = decision;
    for (const step of steps.toReversed()) {
      last = step.get(last.id);
      if (last === undefined) return undefined;
      keys.push(last.key);
    }
    return keys;
  };
}

async function callsFrom(
  roots: readonly DecisionEntry[],
  decisionIndex: DecisionIndex,
  namesOf: NamesOf,
): Promise<ReadonlyMap<string, readonly DecisionEntry[]>> {
  const calls = new Map<string, readonly DecisionEntry[]>();
  const room = roots.length + maxReach;
  const pause = createPause();
  for (let level = roots, depth = 0; level.length > 0 && depth <= most; depth++) {
    const names = await namesOf(level.map(({ contentHash }) => contentHash));
    await decisionIndex.load(usedNames(level, names));
    const next = new Map<string, DecisionEntry>();
    for (const from of level) {
      await pause();
      const called = usedNames([from], names).flatMap(({ name }) => decisionIndex.resolve(name, from.key) ?? []);
      calls.set(from.id, called);
      for (const each of called) next.set(each.id, each);
    }
    level = [...next.values()].filter(({ id }) => !calls.has(id)).slice(0, room - calls.size);
  }
  return calls;
}

/** What is told of a decision node that begins a chain. It is a warning: a switch on the way may end it in time. */
export function chainWarning(chain: readonly string[]): Pick<Diagnostic, 'code' | 'severity' | 'message' | 'hint'> {
  const again = chain.findIndex((key, index) => chain.indexOf(key) < index);
  const keys = (again === -1 ? chain : chain.slice(0, again + 1)).join(' → ');
  const told =
    again === -1
      ? { message: `Decisions are nested more than ${most} deep: ${keys}.`, hint: 'Make the chain shorter' }
      : { message: `Decisions call each other in a circle: ${keys}.`, hint: 'Take one of the calls out' };
  return {
    code: 'limit_sub_decisions',
    severity: 'warning',
    message: told.message,
    hint: `${told.hint}, or let a switch end it: a run fails once more than ${most} decisions are nested in it.`,
  };
}
