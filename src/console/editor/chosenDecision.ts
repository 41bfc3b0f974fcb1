import { decisionName } from '../../decisions/decisionName.js';
import type { Model } from '../api/types.js';
import { lastPart } from '../decisions/tree.js';
import { membersOf, textOf } from '../graph/fields.js';
import { kindName } from '../graph/kinds.js';
import { givenName, renamed, withContent } from './modelEdits.js';

/**
 * With another decision that a node runs, after which the node is called as long as nobody has called it otherwise: it has the name
 * of its kind, or of the decision that it ran before.
 */
export function withDecision(model: Model, id: string, content: unknown): Model {
  const node = model.nodes.find((each) => each.id === id);
  const after = withContent(model, id, content);
  const [before, next] = [nameRun(node?.content), nameRun(content)];
  if (node?.type !== 'decisionNode' || next === '' || next === before) return after;
  const others = model.nodes.filter((each) => each !== node);
  const isGiven = [kindName(node.type), before].some(
    (start) =>
      node.name === start || (node.name.startsWith(`${start} `) && /^ \d+$/.test(node.name.slice(start.length))),
  );
  // Expressions find what a node gave by its name.
  const isNamed = others.some((each) => JSON.stringify(each.content ?? null).includes('$nodes'));
  return isGiven && !isNamed ? renamed(after, id, givenName(next, others)) : after;
}

/** What people call the decision that a node runs, without its folder. */
const nameRun = (content: unknown): string => lastPart(decisionName(textOf(membersOf(content)['key'])));
