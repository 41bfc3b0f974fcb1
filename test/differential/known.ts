import { isDeepStrictEqual } from 'node:util';
import { compile, fromJson, stringify } from '../../workers/engine/index.js';
import { isGraph, type Answer, type Case, type GraphCase } from './cases.js';
import { agree, answerOfOurs, resolverOf } from './ours.js';

/**
 * Where the npm package (0.54) and ours differ, and why that is right. The package is a version behind the zen core 2
 * that ours follows; its sources were read for each entry.
 *
 * Not generated at all, so that they hide nothing else:
 * - `[]` columns of tables, which 0.54 does not have
 * - the end of a week, which 0.54 puts on the wrong day
 * - items of texts by constant index, `text[0]`, null in 0.54
 * - assignments within other expressions, of which 0.54 knows one at a time, and in nodes whose input is no object
 * - `merge` of nothing but nulls: null in 0.54, `{}` in core 2
 * - templates and braces inside templates, which 0.54 does not parse
 * - bare `$root` inside nodes: there the package shows its own `$` and `$nodes` as keys of the input; ours does not
 * - powers with a fraction as exponent, which the package calculates to 8 digits and ours to 28
 * - the order of keys and values of objects: that of a hash table in the package, that of the document in ours
 * - integers beyond 2^31 in facts, which the package takes for floating-point numbers, so that `string(x)` ends in `.0`
 */
interface Known {
  readonly reason: string;
  readonly applies: (subject: Case, ours: Answer, theirs: Answer) => boolean;
}

const all: readonly Known[] = [
  {
    reason: 'the package dies, or does not answer',
    applies: (_subject, _ours, theirs) => 'died' in theirs,
  },
  {
    reason: 'the package gives numbers beyond 2^53 as text',
    applies: (_subject, ours, theirs) =>
      'value' in ours && 'value' in theirs && isDeepStrictEqual(ours.value, withNumbers(theirs.value)),
  },
  {
    reason: 'the package drops keys that are null from the input of every node; core 2 keeps them',
    applies: (subject, ours, theirs) =>
      isGraph(subject) && (isDeepStrictEqual(withoutNulls(ours), withoutNulls(theirs)) || mergesNulls(subject)),
  },
  {
    reason:
      'in nodes whose input is no object, the package has neither `$` nor `$nodes`, and in tables null for other names',
    applies: (subject, _ours, theirs) =>
      isGraph(subject) &&
      (unseen.some((names) => agree(without(names, subject), theirs)) || /"input":\[/.test(traceOf(subject))),
  },
  {
    reason: 'the package has a negative zero, which is no index and is written with its sign',
    applies: (_subject, ours, theirs) =>
      ('value' in ours && 'failed' in theirs && theirs.failed.includes('convert to usize')) ||
      (/"[^"]*-0\b/.test(JSON.stringify(theirs)) && isDeepStrictEqual(ours, withoutSigns(theirs))),
  },
  {
    reason: 'the package does not parse some ternaries in cells',
    applies: (subject, ours, theirs) =>
      subject.kind === 'unary' &&
      'value' in ours &&
      'failed' in theirs &&
      theirs.failed.includes('Incomplete parser output'),
  },
];

/** The reason why two different answers are no fault of ours; undefined when there is none. */
export function knownDifference(subject: Case, ours: Answer, theirs: Answer): string | undefined {
  return all.find(({ applies }) => applies(subject, ours, theirs))?.reason;
}

function withNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'string' && /^-?\d{16,}$/.test(item) ? Number(item) : item,
    ),
  );
}

function withoutNulls(answer: Answer): unknown {
  return JSON.parse(JSON.stringify(answer, (_key, item: unknown) => item ?? undefined));
}

function withoutSigns(answer: Answer): unknown {
  return JSON.parse(JSON.stringify(answer).replace(/-(0(?:\.0+)?)(?![\d.])/g, '$1'));
}

const unseen = [/\$nodes\./g, /\$\./g, /\$nodes\.|\$\./g];

/** Our answer where names mean nothing. */
function without(names: RegExp, subject: Case): Answer {
  return answerOfOurs(JSON.parse(JSON.stringify(subject).replace(names, 'missing.')) as Case);
}

/** Whether a null reaches a place where outputs are merged, and so may delete a key there. */
function mergesNulls({ model, fact, others }: GraphCase): boolean {
  const { nodes, edges } = model as { nodes: { id: string }[]; edges: { sourceId: string; targetId: string }[] };
  const merging =
    nodes.some(({ id }) => edges.filter(({ targetId }) => targetId === id).length > 1) ||
    nodes.filter(({ id }) => !edges.some(({ sourceId }) => sourceId === id)).length > 1 ||
    /"passThrough":true|"type":"decisionNode"/.test(JSON.stringify(model));
  if (!merging) return false;
  return /:null\b/.test(traceOf({ kind: 'graph', model, fact, others }));
}

function traceOf({ model, fact, others }: GraphCase): string {
  const program = compile(model, { resolve: resolverOf(others) });
  const outcome = program.run(fromJson(fact), { trace: true, now: Date.now, random: Math.random, deadline: Infinity });
  return outcome instanceof Promise ? '' : stringify(outcome.trace ?? {});
}
