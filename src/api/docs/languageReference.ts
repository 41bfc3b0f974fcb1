import {
  compileDmn,
  compileExpression,
  defaultLimits,
  feelReference,
  languageReference,
  stringify,
  type ReferenceGroup,
} from '../../../workers/engine/index.js';

/** The moment of the examples, so that each build shows the same. */
const moment = Date.UTC(2026, 0, 15, 12);

/** Every function and method of the language in Markdown, a table for each group. */
export const functionTables = (): string => tablesOf(languageReference, resultOf);

/** Every function of FEEL. */
export const feelTables = (): string => tablesOf(feelReference(), feelResultOf);

const tablesOf = (groups: readonly ReferenceGroup[], resultOf: (example: string) => string): string =>
  groups
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

function feelResultOf(example: string): string {
  const text = example.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const { program } = compileDmn(
    `<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/"><decision name="it"><literalExpression><text>${text}</text></literalExpression></decision></definitions>`,
  );
  const outcome = program.run({}, { trace: false, now: moment, deadline: Infinity, random: () => 0.5 });
  if (outcome.status === 'FAILED' || outcome.warnings.length > 0) throw new Error(`${example} has no result`);
  return stringify((outcome.result as { readonly it: typeof outcome.result }).it);
}
