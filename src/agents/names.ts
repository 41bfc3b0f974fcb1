import type { DeployedDecision } from './deployed.store.js';

/** Most characters of a name before what tells two of them apart; agents' programs allow 64 in all. */
const maxLength = 50;

/**
 * The names of decisions as tools: their keys, in the characters that all agents' programs allow (`[A-Za-z0-9_-]`). Where
 * two would have the same, or one that is taken, each gets the end of its decision's id.
 */
export function toolNames<Decision extends Pick<DeployedDecision, 'decisionId' | 'key'>>(
  decisions: readonly Decision[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, Decision> {
  const counts = new Map<string, number>();
  for (const { key } of decisions) counts.set(plainName(key), (counts.get(plainName(key)) ?? 0) + 1);
  return new Map(
    decisions.map((decision) => {
      const plain = plainName(decision.key);
      const isOwn = counts.get(plain) === 1 && !taken.has(plain);
      return [isOwn ? plain : `${plain}-${decision.decisionId.slice(-12)}`, decision];
    }),
  );
}

const plainName = (key: string): string =>
  key
    .replace(/\.json$/, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, maxLength);
