import type { Decision, ModelNode } from '../api/types.js';
import { membersOf, textOf } from './fields.js';

/** The decisions that nodes run, each once, as they name them. */
export const namesRun = (nodes: readonly ModelNode[]): readonly string[] => [
  ...new Set(
    nodes
      .flatMap(({ type, content }) => (type === 'decisionNode' ? textOf(membersOf(content)['key']) : []))
      .filter((name) => name !== ''),
  ),
];

/** The decision that a node's name means: by its own key, or seen from the folder of the decision that uses it, with or without `.json`. */
export function decisionMeant(name: string, usedBy: string, decisions: readonly Decision[]): Decision | undefined {
  if (name === '') return undefined;
  const folder = usedBy.slice(0, usedBy.lastIndexOf('/') + 1);
  const path = new URL((folder + name).split('/').map(encodeURIComponent).join('/'), 'http://key/').pathname.slice(1);
  const relative = decodeURIComponent(path);
  return [name, relative, `${relative}.json`, `${name}.json`]
    .map((key) => decisions.find((each) => each.key === key || each.id === key))
    .find((decision) => decision !== undefined);
}
