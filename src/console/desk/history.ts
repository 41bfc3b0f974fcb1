/** What was edited, step by step. Values are never changed in place, so that steps share what they have in common. */
export interface History<Value> {
  readonly past: readonly Value[];
  readonly present: Value;
  readonly future: readonly Value[];
  /** Of the last step, where typing goes on in it. */
  readonly step: string | null;
}

/** More would keep every state of a long day. */
const maxSteps = 200;

export const historyOf = <Value>(present: Value): History<Value> => ({ past: [], present, future: [], step: null });

/** @param step the name of a step that goes on: what has the same name as the last becomes one with it */
export function edited<Value>(history: History<Value>, next: Value, step: string | null = null): History<Value> {
  const { past, present } = history;
  if (Object.is(next, present)) return history;
  if (step !== null && step === history.step) return { past, present: next, future: [], step };
  return { past: [...past, present].slice(-maxSteps), present: next, future: [], step };
}

export function undone<Value>({ past, present, future, step }: History<Value>): History<Value> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, step };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], step: null };
}

export function redone<Value>({ past, present, future, step }: History<Value>): History<Value> {
  const [next, ...rest] = future;
  if (next === undefined) return { past, present, future, step };
  return { past: [...past, present], present: next, future: rest, step: null };
}

/** Takes back the step that is going on, as if it had never begun. */
export function abandoned<Value>(history: History<Value>, step: string): History<Value> {
  return history.step === step ? { ...undone(history), future: [] } : history;
}
