import type { Analysis } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { command } from '../command.js';
import { exitCodes } from '../failures.js';
import { InvalidArgumentError, count, own, parsed, preset, versions } from '../params.js';
import { decisionId } from '../remote/named.js';
import { table } from '../tableOf.js';

const kinds = ['gap', 'shadowed', 'conflict', 'overlap', 'redundant', 'fails'];

function parseKinds(text: string): string[] {
  const named = text.split(',').map((kind) => kind.trim());
  const wrong = named.find((kind) => !kinds.includes(kind));
  if (wrong === undefined) return named;
  throw new InvalidArgumentError(`${JSON.stringify(wrong)} is none of ${kinds.join(', ')}.`);
}

export const analyseCommand = command({
  name: 'decision analyse',
  about: 'prove gaps, dead rows, and what differs from another version',
  examples: ['decision analyse shop/fees.json', 'decision analyse shop/fees.json --against 3 --fail-on gap,shadowed'],
  args: { decisionId: decisionId('<decision>', 'key or id') },
  options: {
    version: preset(count('--version <number>', 'a version; else the working copy', versions), 0),
    against: count('--against <number>', 'tell where that version gives other results', versions),
    failOn: own(parsed('--fail-on <kinds>', `exit 1 where one of these is proved: ${kinds.join(', ')}`, parseKinds)),
  },
  async run({ ask }, { against, ...input }) {
    const compared = against === undefined ? {} : { against: { version: against } };
    return (await ask(operations.analyseModel, { ...input, ...compared })).body;
  },
  text: (analysis) => [findingsText(analysis), changeText(analysis), reachText(analysis)].filter(Boolean).join('\n'),
  end({ tables }, _call, { failOn = [] }) {
    const found = tables.flatMap(({ findings }) => findings);
    const isRefused = found.some(({ kind, status }) => status === 'proved' && failOn.includes(kind));
    return isRefused ? exitCodes.refused : undefined;
  },
});

function findingsText({ tables }: Analysis): string {
  const rows = tables.flatMap(({ node, findings }) =>
    findings.map(({ kind, rules, status, message }) => [node, kind, status, rules.join(', '), message]),
  );
  return rows.length === 0 ? 'no findings' : table(['table', 'finding', '', 'rows', 'what'], rows);
}

function changeText({ change }: Analysis): string {
  if (change === null) return '';
  if (change.status === 'equal') return 'equal: both versions give the same results on every input';
  const undecided = change.undecided.map((when) => `\nundecided where ${when}`).join('');
  if (change.status === 'unknown') {
    const why = change.reason === null ? '' : `: ${change.reason}`;
    return `unknown whether both versions give the same results${why}${undecided}`;
  }
  const rows = change.regions.map(({ when, witness, before, after }) => [
    ...[when ?? 'one fact; there may be more', witness.fact, before, after],
  ]);
  const rest = change.reason === null ? '' : `\nnot all of the change can be compared: ${change.reason}`;
  return table(['other results where', 'such as', 'before', 'now'], rows) + undecided + rest;
}

const reachText = ({ reach: { reachable, unreachable, unknown } }: Analysis): string =>
  `rows and statements: ${reachable} reachable, ${unreachable} unreachable, ${unknown} unknown`;
