import { locationOf, type Model } from './model.js';
import { cycleOf, type Plan } from './plan.js';
import type { Report } from './reader.js';

/** Reports what makes a graph unfit to run: no or several input nodes, a cycle. True when there is nothing of that. */
export function checkGraph({ nodes }: Model, plan: Plan, report: Report): boolean {
  const inputs = nodes.filter((node) => node.parsed.role === 'input');
  if (inputs.length === 0) {
    report({ code: 'model_invalid', message: 'The model has no input node; it needs exactly one.', pointer: '/nodes' });
  }
  for (const node of inputs.slice(1)) {
    const message = `The model has ${inputs.length} input nodes; it may have only one.`;
    report({ code: 'model_invalid', message, ...locationOf(node) });
  }
  const cycle = cycleOf(plan)?.flatMap((index) => nodes[index] ?? []);
  const first = cycle?.[0];
  if (cycle !== undefined && first !== undefined) {
    const round = [...cycle, first].map(({ name }) => `"${name}"`).join(' → ');
    report({
      code: 'model_invalid',
      message: `The graph runs in a circle: ${round}.`,
      ...locationOf(first),
    });
  }
  return inputs.length === 1 && cycle === undefined;
}
