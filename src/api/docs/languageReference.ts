import { compileExpression, defaultLimits, languageReference, stringify } from '../../../workers/engine/index.js';

/** The moment of the examples, so that each build shows the same. */
const moment = Date.UTC(2026, 0, 15, 12);

/** Every function and method of the language in Markdown, a table for each group. */
export const functionTables = (): string =>
  languageReference
    .map(({ title, entries }) => {
      const rows = entries.map(
        ({ call, gives, summary, example }) =>
          `| \`${call}\` | ${summary} | ${gives} | \`${example}\` | \`${resultOf(example)}\` |`,
      );
      return [
        `### ${title}`,
        '',
        '| Function | | Gives | Example | Its result |',
        '|---|---|---|---|---|',
        ...rows,
      ].join('\n');
    })
    .join('\n\n');

function resultOf(example: string): string {
  const run = {
    limits: defaultLimits,
    steps: defaultLimits.steps,
    deadline: Infinity,
    now: () => moment,
    random: () => 0.5,
  };
  return stringify(compileExpression(example)({ data: {}, reference: null, nodes: null, env: {}, run }));
}
