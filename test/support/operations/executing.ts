import type { Named, Reach } from './reach.js';
import type { World } from './world.js';

export const fact = { fact: { x: 1 } };
export const executing = (environment: World, decision: World): Named => ({
  params: { environmentId: environment.environmentId, decisionId: decision.decisionId },
  body: fact,
});
export const executingMany = (environment: World, decision: World): Named => ({
  ...executing(environment, decision),
  body: { items: [{ ...fact, key: 'item' }] },
  headers: { 'Idempotency-Key': environment.idempotencyKey },
});
export const placesOf = (named: typeof executing, mine: World, theirs: World): Reach[] => [
  { what: 'their environment', named: named(theirs, mine), wanted: 'environment_not_found' },
  { what: 'their decision', named: named(mine, theirs), wanted: 'decision_not_found' },
  { what: 'both', named: named(theirs, theirs), wanted: 'environment_not_found' },
];
