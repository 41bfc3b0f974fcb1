import { isDeepStrictEqual } from 'node:util';
import { JdmProgram } from '../../workers/engine/index.js';
import type { Frame } from '../../workers/engine/jdm/frame.js';
import { withoutNulls } from '../../workers/engine/jdm/merge.js';
import type { CompiledNode } from '../../workers/engine/nodes/nodeType.js';
import { isObject } from '../../workers/engine/zen/index.js';
import { isGraph, type Answer, type Case, type GraphCase } from './cases.js';
import { agree, answerOfOurs, type Change } from './ours.js';

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
 * - times that spring skips, and texts of dates with an offset, or a `T` and none: other dates in the package, or none
 * - the order of keys and values of objects: that of a hash table in the package, that of the document in ours
 * - integers beyond 2^31 in facts, which the package takes for floating-point numbers, so that `string(x)` ends in `.0`
 */
interface Known {
  readonly reason: string;
  readonly applies: (subject: Case, ours: Answer, theirs: Answer) => boolean;
}

type Valued = Extract<Answer, { readonly value: unknown }>;

const all: readonly Known[] = [
  {
    reason: 'the package dies, or does not answer',
    applies: (_subject, _ours, theirs) => 'died' in theirs,
  },
  {
    reason:
      'the package compares no dates with texts, finds none in lists, and makes no texts of them; core 2 does all of it',
    applies: (subject, ours, theirs) =>
      has(subject, /\bd\(/) &&
      (('value' in ours && 'failed' in theirs) || has(subject, /==|!=|\bin\b|contains|[<>`+]|string\(/)),
  },
  {
    reason: 'of equal numbers and dates the package gives the first as greatest, core 2 the last',
    applies: (subject) => has(subject, /\bmax\(/) && has(subject, /\bstring\(|\bd\(|`/),
  },
  {
    reason: 'a pattern that RE2 lacks or reads otherwise, or that takes too long to compile, is refused here, by name',
    applies: (_subject, ours) => 'failed' in ours && /so many classes|takes a regular expr/.test(ours.failed),
  },
  {
    reason: 'the package gives numbers beyond 2^53 as text',
    applies: (_subject, ours, theirs) =>
      'value' in ours && 'value' in theirs && isDeepStrictEqual(ours.value, withNumbers(theirs.value)),
  },
  {
    reason: 'the package drops keys that are null from the input of every node; core 2 keeps them',
    applies: (subject, _ours, theirs) => isGraph(subject) && agree(answerOfOurs(subject, droppingNulls), theirs),
  },
  {
    reason:
      'in nodes whose input is no object, the package has neither `$` nor `$nodes`, and in tables null for other names',
    applies: (subject, _ours, theirs) =>
      isGraph(subject) &&
      [...unseen.map((hidden) => hiding(hidden)), ...reads.map((from) => hiding(['nodes', 'data'], from))]
        // Where names mean nothing there are more nulls, for which the difference above counts too.
        .flatMap((hide) => [hide, (program: JdmProgram) => droppingNulls(hide(program))])
        .some((change) => isAnswered(subject, change, theirs)),
  },
  {
    reason: 'the package writes dotted keys and merges into objects that other outputs share; core 2 copies first',
    applies: (subject, ours, theirs) =>
      isGraph(subject) &&
      'value' in ours &&
      'value' in theirs &&
      (isEqualBeside(sharedKeys(subject), ours, theirs) || isEqualBesideTwins(ours.value, theirs.value)),
  },
  {
    reason: 'the package has a negative zero, which is no index and is written with its sign',
    applies: (subject, ours, theirs) =>
      ('value' in ours && 'failed' in theirs && failsByIndex(theirs.failed)) ||
      /\bstring\(\s*(?:-|trunc|ceil|floor|round)/.test(JSON.stringify(subject)) ||
      (/"[^"]*-0\b/.test(JSON.stringify(theirs)) && isDeepStrictEqual(ours, withoutSigns(theirs))),
  },
  {
    reason: 'the package passes over rules that lack the cell of a column; core 2 takes it for a blank one',
    applies: (subject, _ours, theirs) => isGraph(subject) && agree(answerOfOurs(withoutIncomplete(subject)), theirs),
  },
  {
    reason: 'the time zones of the package, and of core 2, know no daylight saving time after 2100; those of ours do',
    applies: (_subject, ours, theirs) =>
      'value' in ours && 'value' in theirs && isDeepStrictEqual(withInstants(ours.value), withInstants(theirs.value)),
  },
  {
    reason:
      'the package does not parse some cells (ternaries; `and`, `or` in brackets), and tables take them for unmet',
    applies: (subject, ours, theirs) =>
      isGraph(subject)
        ? agree(answerOfOurs(withoutUnparsed(subject)), theirs)
        : subject.kind === 'unary' &&
          'value' in ours &&
          'failed' in theirs &&
          theirs.failed.includes('Incomplete parser output'),
  },
];

/** The reason why two different answers are no fault of ours; undefined when there is none. */
export function knownDifference(subject: Case, ours: Answer, theirs: Answer): string | undefined {
  return all.find(({ applies }) => applies(subject, ours, theirs))?.reason;
}

/**
 * Whether a negative zero may be what the package failed for. Of an expression in a node it names the source alone:
 * there, an index and something that can make a negative zero are enough. Bare expressions, which say more, hold us to it.
 */
function failsByIndex(failure: string): boolean {
  const [, source] = /Failed to evaluate expression: (.*)/.exec(failure) ?? [];
  if (source === undefined) return /convert to usize|\[-0\b/.test(failure);
  return /\w\[|\]\[|\)\[/.test(source) && /\b(?:trunc|ceil|floor|round)\(|(?<![\w)\]] ?)-/.test(source);
}

const has = (subject: Case, pattern: RegExp): boolean => pattern.test(JSON.stringify(subject));

function withNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'string' && /^-?\d{16,}$/.test(item) ? Number(item) : item,
    ),
  );
}

/** Dates after 2100 as moments, whatever their offset. */
function withInstants(value: unknown): unknown {
  const late = /^(21\d\d|2[2-9]\d\d|[3-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;
  return JSON.parse(
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'string' && late.test(item) ? Date.parse(item) : item,
    ),
  );
}

function withoutSigns(answer: Answer): unknown {
  return JSON.parse(JSON.stringify(answer).replace(/-(0(?:\.0+)?)(?![\d.])/g, '$1'));
}

/** What nodes whose input is no object do not see. */
type Hidden = readonly ('reference' | 'nodes' | 'data')[];
const unseen: readonly Hidden[] = [
  ['nodes'],
  ['reference'],
  ['reference', 'nodes'],
  ['data'],
  ['nodes', 'data'],
  ['reference', 'nodes', 'data'],
];

/** In tables names are null only once a cell had a `$`: from which of our looks at the input on. */
const reads = Array.from({ length: 20 }, (_, from) => from + 1);

/** Our program with nodes that find null in these, where their input is no object; in data from that look on. */
function hiding(hidden: Hidden, from = 0): Change {
  return (program) =>
    changedNodes(program, (node) => ({
      run: (input, frame) => node.run(input, hidingFrame(frame, hidden, from)),
      trace: (input, frame, slot) => node.trace(input, hidingFrame(frame, hidden, from), slot),
    }));
}

function isAnswered(subject: GraphCase, change: Change, theirs: Answer): boolean {
  try {
    return agree(answerOfOurs(subject, change), theirs);
  } catch {
    // A trace looks oftener, so that plain and traced differ.
    return false;
  }
}

function hidingFrame(frame: Frame, hidden: Hidden, from: number): Frame {
  let looks = 0;
  const { session, nodeId, depth } = frame;
  const scope = { ...frame.scope };
  const hides = (name: Hidden[number]): boolean => hidden.includes(name) && !isObject(scope.data);
  const seen = {
    get data() {
      return hides('data') && looks++ >= from ? null : scope.data;
    },
    set data(value) {
      scope.data = value;
    },
    get reference() {
      return hides('reference') ? null : scope.reference;
    },
    set reference(value) {
      scope.reference = value;
    },
    get nodes() {
      return hides('nodes') ? null : scope.nodes;
    },
    set nodes(value) {
      scope.nodes = value;
    },
    env: scope.env,
    run: scope.run,
  };
  return {
    session,
    scope: seen,
    nodeId,
    depth,
    nodes: () => frame.nodes(),
    choose: (statements) => frame.choose(statements),
  };
}

/** The steps of the dotted keys that a model writes, except the first one, and that as well where the fact has an object of its name. */
function sharedKeys(subject: GraphCase): ReadonlySet<string> {
  const fact = JSON.stringify(subject.fact);
  const written = JSON.stringify(subject).matchAll(/(?:"key"|"id":"o\d+","name":"[^"]*","field"):"(\w+)\.([\w.]+)"/g);
  return new Set(
    Array.from(written, ([, first = '', rest = '']) => [
      ...rest.split('.'),
      ...(fact.includes(`"${first}":{`) ? [first] : []),
    ]).flat(),
  );
}

/** Whether two results differ at nothing but such keys, of objects in them. */
function isEqualBeside(keys: ReadonlySet<string>, ours: Valued, theirs: Valued): boolean {
  const rest = ({ value }: Valued): unknown =>
    JSON.parse(
      JSON.stringify(value, (_key, item: unknown) =>
        isJsonObject(item) && item !== value
          ? Object.fromEntries(Object.entries(item).filter(([key]) => !keys.has(key)))
          : item,
      ),
    );
  return keys.size > 0 && isDeepStrictEqual(rest(ours), rest(theirs));
}

/** Whether two results differ nowhere but within objects that theirs has more than once: what is shared looks the same everywhere. */
function isEqualBesideTwins(ours: unknown, theirs: unknown): boolean {
  const objects: unknown[] = [];
  JSON.stringify(theirs, (_key, item: unknown) => {
    if (isJsonObject(item)) objects.push(item);
    return item;
  });
  const hasTwin = (item: unknown): boolean => objects.filter((other) => isDeepStrictEqual(item, other)).length > 1;
  const isSame = (one: unknown, other: unknown): boolean => {
    if (isDeepStrictEqual(one, other)) return true;
    if (Array.isArray(one) && Array.isArray(other))
      return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
    if (!isJsonObject(one) || !isJsonObject(other)) return false;
    if (hasTwin(other)) return true;
    const [mine, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
    return (
      mine.size === others.size && [...mine].every(([key, item]) => others.has(key) && isSame(item, others.get(key)))
    );
  };
  return isSame(ours, theirs);
}

const isJsonObject = (item: unknown): item is object =>
  typeof item === 'object' && item !== null && !Array.isArray(item);

/** Tables without the rules that have such a cell. */
function withoutUnparsed(subject: GraphCase): GraphCase {
  const unparsed = /[([{].*\b(?:and|or)\b|\?/;
  return JSON.parse(JSON.stringify(subject), (_key, item: unknown) => {
    if (!isJsonObject(item) || !('rules' in item && 'inputs' in item)) return item;
    const { rules, inputs } = item as { rules: Record<string, string>[]; inputs: { id: string }[] };
    return { ...item, rules: rules.filter((rule) => !inputs.some(({ id }) => unparsed.test(rule[id] ?? ''))) };
  }) as GraphCase;
}

/** Tables without the rules that lack a cell. */
function withoutIncomplete(subject: GraphCase): GraphCase {
  return JSON.parse(JSON.stringify(subject), (_key, item: unknown) => {
    if (!isJsonObject(item) || !('rules' in item && 'inputs' in item && 'outputs' in item)) return item;
    const { rules, inputs, outputs } = item as { rules: object[]; inputs: { id: string }[]; outputs: { id: string }[] };
    const isComplete = (rule: object): boolean => [...inputs, ...outputs].every(({ id }) => Object.hasOwn(rule, id));
    return { ...item, rules: rules.filter(isComplete) };
  }) as GraphCase;
}

/** Our program with nodes that never see a key that is null in their input. */
const droppingNulls: Change = (program) =>
  changedNodes(program, (node) => ({
    run: (input, frame) => node.run(withoutNulls(input, frame.session.run), frame),
    trace: (input, frame, slot) => node.trace(withoutNulls(input, frame.session.run), frame, slot),
  }));

function changedNodes({ parts }: JdmProgram, change: (node: CompiledNode) => CompiledNode): JdmProgram {
  return new JdmProgram({
    ...parts,
    nodes: parts.nodes.map((node) => ({ ...node, compiled: change(node.compiled) })),
  });
}
