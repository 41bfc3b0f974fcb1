import fc from 'fast-check';
import { validate } from '../../workers/engine/index.js';
import { brokenCase } from './broken.js';
import { describeAnswer, describeCase, type Answer, type Case } from './cases.js';
import { someCell, someExpression } from './expressions.js';
import { otherModel, someModel } from './graphs.js';
import { knownDifference } from './known.js';
import { Oracle } from './oracle.js';
import { agree, answerOfOurs } from './ours.js';
import { someSearch } from './regexes.js';
import { someFact, someFullFact, someJson } from './values.js';

/** Kinds of cases, with the share of all cases that each has. */
const kinds: readonly { readonly name: string; readonly share: number; readonly cases: fc.Arbitrary<Case> }[] = [
  {
    name: 'expressions',
    share: 0.4,
    cases: fc.record({ kind: fc.constant('expression' as const), source: someExpression, data: someFact }),
  },
  {
    name: 'unary tests',
    share: 0.2,
    cases: fc
      .tuple(someCell, someJson, someFact)
      .map(([source, field, fact]) => ({ kind: 'unary' as const, source, data: { ...fact, $: field } })),
  },
  {
    name: 'regular expressions',
    share: 0.15,
    cases: someSearch,
  },
  {
    name: 'graphs',
    share: 0.25,
    cases: fc
      .tuple(someModel, otherModel, someFullFact)
      .map(([model, other, fact]) => ({ kind: 'graph' as const, model, fact, others: { other } })),
  },
];

export interface Comparison {
  readonly seed: number;
  readonly cases: number;
  /** Milliseconds after which no further case is begun; the run then fails. */
  readonly within?: number;
  readonly advance?: () => void;
}

export interface Compared {
  /** Cases that both engines were given. */
  readonly compared: number;
  /** How many fell under each known difference. */
  readonly known: ReadonlyMap<string, number>;
  /** Cases that killed the oracle. */
  readonly deaths: number;
  /** Real differences, shrunk, as text. */
  readonly differences: readonly string[];
  /** How many cases gave a value on both sides. */
  readonly values: number;
}

/** Gives both engines the same random cases. Ends at the first real difference of each kind of case. */
export async function compare({
  seed,
  cases,
  within = Infinity,
  advance = () => undefined,
}: Comparison): Promise<Compared> {
  const oracle = new Oracle();
  const known = new Map<string, number>();
  const differences: string[] = [];
  let compared = 0;
  let values = 0;
  const deadline = performance.now() + within;
  try {
    for (const { name, share, cases: arbitrary } of kinds) {
      const numRuns = Math.round(cases * share);
      const property = fc.asyncProperty(arbitrary, async (subject) => {
        if (performance.now() > deadline) throw new Error(`time is up after ${compared} cases`);
        const ours = answerOfOurs(subject);
        compared++;
        advance();
        let theirs = await oracle.ask(subject);
        if (!agree(ours, theirs) && knownDifference(subject, ours, theirs) === undefined)
          theirs = await oracle.askAfresh(subject);
        if (agree(ours, theirs)) {
          if ('value' in ours) values++;
          return;
        }
        const reason = knownDifference(subject, ours, theirs);
        if (reason === undefined) throw new Error(lineOf(subject, ours, theirs));
        known.set(reason, (known.get(reason) ?? 0) + 1);
      });
      const outcome = await fc.check(property, { seed, numRuns });
      if (!outcome.failed) continue;
      const cause = outcome.errorInstance;
      differences.push(`${name}, case ${outcome.numRuns}, shrunk ${outcome.numShrinks} times:\n  ${messageOf(cause)}`);
    }
    return { compared, known, deaths: oracle.deaths, differences, values };
  } finally {
    await oracle.close();
  }
}

/**
 * Gives both engines the same models, broken in small ways. What the package runs must have no error here, be it ever so
 * many warnings, and give the same result. Ends at the first that does not.
 */
export async function compareBroken({ seed, cases, within = Infinity }: Comparison): Promise<Compared> {
  const oracle = new Oracle();
  const known = new Map<string, number>();
  const deadline = performance.now() + within;
  let [compared, values] = [0, 0];
  const property = fc.asyncProperty(brokenCase, async ({ ways, ...subject }) => {
    if (performance.now() > deadline) throw new Error(`time is up after ${compared} cases`);
    compared++;
    const theirs = await oracle.ask(subject);
    if (!('value' in theirs)) return;
    values++;
    const knows = (key: string): boolean => Object.hasOwn(subject.others, key);
    // Behind a switch it is a question of the fact whether a run gets to what would fail.
    const hasSwitch = JSON.stringify(subject.model).includes('"switchNode"');
    const errors = validate(subject.model, { knows }).filter(
      ({ severity, code }) => severity !== 'warning' && !(hasSwitch && code !== 'model_invalid'),
    );
    const ours = answerOfOurs(subject);
    if (errors.length === 0 && agree(ours, theirs)) return;
    const reason = errors.length === 0 ? knownDifference(subject, ours, theirs) : undefined;
    if (reason === undefined) {
      const found = errors.map(({ pointer, message }) => `${pointer ?? ''} ${message}`);
      throw new Error(`${ways.join(', ')}\n    errors ${found.join('; ')}\n    ${lineOf(subject, ours, theirs)}`);
    }
    known.set(reason, (known.get(reason) ?? 0) + 1);
  });
  try {
    const outcome = await fc.check(property, { seed, numRuns: cases });
    const differences = outcome.failed ? [messageOf(outcome.errorInstance)] : [];
    return { compared, known, deaths: oracle.deaths, differences, values };
  } finally {
    await oracle.close();
  }
}

function lineOf(subject: Case, ours: Answer, theirs: Answer): string {
  return `${describeCase(subject)}\n    ours   ${describeAnswer(ours)}\n    theirs ${describeAnswer(theirs)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
