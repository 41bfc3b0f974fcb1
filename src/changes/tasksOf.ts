import type { Protection } from '../protections/protections.schema.js';
import type { CheckTask } from './checks.store.js';
import type { Target } from './references.js';

/** The checks that a protection asks for, of each version that would be deployed. */
export const tasksOf = ({ requires }: Protection, targets: readonly Target[]): CheckTask[] =>
  targets.flatMap(({ decisionId, decisionKey, version }) => {
    const of = { decisionId, decisionKey, version };
    return [
      ...(requires.tests ? [{ ...of, name: 'tests' as const, wanted: '' }] : []),
      ...(requires.analysis ? [{ ...of, name: 'analysis' as const, wanted: '' }] : []),
      ...(requires.replay === null ? [] : [{ ...of, name: 'replay' as const, wanted: requires.replay }]),
      ...(requires.coverage === null ? [] : [{ ...of, name: 'coverage' as const, wanted: String(requires.coverage) }]),
    ];
  });

/** Whether both are the same check. */
export const isSameTask = (a: CheckTask, b: CheckTask): boolean =>
  a.name === b.name && a.decisionId === b.decisionId && a.version === b.version && a.wanted === b.wanted;
