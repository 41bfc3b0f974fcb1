import { includes, type Ranges } from './ranges.js';
import { rangesOf, wordCharacters, type Pay } from './sets.js';
import { RegexError, type Assertion, type ParsedRegex, type Regex } from './tree.js';

/**
 * A matcher for what RE2 lacks: ends of words that know all of Unicode. Pike's machine: it goes through a text once, with
 * all states in which the expression can be, the preferred ones first.
 */
type Instruction =
  | { readonly kind: 'set'; readonly ranges: Ranges }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'save'; readonly slot: number }
  | { kind: 'split'; first: number; second: number }
  | { kind: 'jump'; to: number }
  | { readonly kind: 'match' };

const maxInstructions = 5000;

export interface Machine {
  /** Instructions. */
  readonly size: number;
  /** The match and its groups, undefined for those without a part in it; undefined where nothing matches. */
  readonly exec: (text: string) => (string | undefined)[] | undefined;
}

/** @throws RegexError for an expression that is too large */
export function machineOf({ tree, groups }: ParsedRegex, pay: Pay): Machine {
  const program: Instruction[] = [];
  const sets = new Map<string, Ranges>();
  compile(tree);
  program.push({ kind: 'match' });
  const words = wordCharacters(pay);
  return { size: program.length, exec: (text) => run(program, { text, groups, words }) };

  function add(instruction: Instruction): number {
    if (program.length >= maxInstructions) throw new RegexError('it repeats too much');
    return program.push(instruction) - 1;
  }

  function setOf(node: Extract<Regex, { kind: 'literal' | 'set' }>): Ranges {
    const set = node.kind === 'set' ? node.set : { kind: 'range' as const, from: node.code, to: node.code };
    const key = `${node.fold} ${JSON.stringify(set)}`;
    const ranges = sets.get(key) ?? rangesOf(set, node.fold, pay);
    sets.set(key, ranges);
    return ranges;
  }

  function compile(node: Regex): void {
    switch (node.kind) {
      case 'empty':
        return;
      case 'literal':
      case 'set':
        add({ kind: 'set', ranges: setOf(node) });
        return;
      case 'assertion':
        add(node);
        return;
      case 'group':
        if (node.index !== null) add({ kind: 'save', slot: node.index * 2 });
        compile(node.inner);
        if (node.index !== null) add({ kind: 'save', slot: node.index * 2 + 1 });
        return;
      case 'concat':
        node.parts.forEach(compile);
        return;
      case 'either':
        compileEither(node.parts);
        return;
      case 'repeat':
        compileRepeat(node);
    }
  }

  function compileEither(parts: readonly Regex[]): void {
    const ends: { kind: 'jump'; to: number }[] = [];
    for (const part of parts.slice(0, -1)) {
      const split = branch(true);
      split.go(program.length);
      compile(part);
      const jump = { kind: 'jump' as const, to: 0 };
      add(jump);
      ends.push(jump);
      split.skip(program.length);
    }
    const last = parts.at(-1);
    if (last) compile(last);
    for (const jump of ends) jump.to = program.length;
  }

  /** A choice between what follows and something later; the first of them where `prefersGo`. */
  function branch(prefersGo: boolean): { go: (to: number) => void; skip: (to: number) => void } {
    const split = { kind: 'split' as const, first: 0, second: 0 };
    add(split);
    const set = (isFirst: boolean) => (to: number) => {
      if (isFirst) split.first = to;
      else split.second = to;
    };
    return { go: set(prefersGo), skip: set(!prefersGo) };
  }

  function compileRepeat({ inner, least, most, greedy }: Extract<Regex, { kind: 'repeat' }>): void {
    if (most === null) {
      // `x*` is `(x+)?`, as in RE2: so an empty round counts once.
      const skipping = least === 0 ? branch(greedy) : undefined;
      skipping?.go(program.length);
      for (let count = 1; count < least; count++) compile(inner);
      const start = program.length;
      compile(inner);
      const split = branch(greedy);
      split.go(start);
      split.skip(program.length);
      skipping?.skip(program.length);
      return;
    }
    for (let count = 0; count < least; count++) compile(inner);
    const splits = [];
    for (let count = least; count < most; count++) {
      const split = branch(greedy);
      split.go(program.length);
      compile(inner);
      splits.push(split);
    }
    for (const split of splits) split.skip(program.length);
  }
}

interface Subject {
  readonly text: string;
  readonly groups: number;
  readonly words: Ranges;
}

/** A state: the next instruction, and where its groups begin and end. */
interface Thread {
  readonly at: number;
  readonly slots: readonly number[];
}

function run(program: readonly Instruction[], { text, groups, words }: Subject): (string | undefined)[] | undefined {
  const empty = new Array<number>(groups * 2 + 2).fill(-1);
  let threads: Thread[] = [];
  let found: readonly number[] | undefined;
  const seen = new Int32Array(program.length).fill(-1);
  let before = -1;
  for (let at = 0; ;) {
    const code = text.codePointAt(at) ?? -1;
    const next: Thread[] = [];
    // An earlier start is preferred, and nothing begins anew once something has matched.
    const starts = found === undefined ? [...threads, { at: 0, slots: empty.with(0, at) }] : threads;
    const ready: Thread[] = [];
    for (const thread of starts) follow(program, thread, { seen, at, before, code, words, ready });
    for (const { at: instructionIndex, slots } of ready) {
      const instruction = program[instructionIndex];
      if (instruction?.kind === 'match') {
        found = slots.with(1, at);
        break;
      }
      if (instruction?.kind === 'set' && code >= 0 && includes(instruction.ranges, code))
        next.push({ at: instructionIndex + 1, slots });
    }
    if (code < 0 || (next.length === 0 && found !== undefined)) break;
    threads = next;
    before = code;
    at += code > 0xffff ? 2 : 1;
  }
  if (found === undefined) return undefined;
  const slots = found;
  return Array.from({ length: groups + 1 }, (_, group) => {
    const [start = -1, end = -1] = slots.slice(group * 2, group * 2 + 2);
    return start < 0 || end < 0 ? undefined : text.slice(start, end);
  });
}

interface Step {
  /** By instruction: the offset in the text at which it was reached last. */
  readonly seen: Int32Array;
  readonly at: number;
  /** The characters before and after that offset; -1 for none. */
  readonly before: number;
  readonly code: number;
  readonly words: Ranges;
  readonly ready: Thread[];
}

/** Goes on to the instructions that take a character, or match, in the order of preference. */
function follow(program: readonly Instruction[], start: Thread, step: Step): void {
  const waiting = [start];
  for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
    const { at, slots } = thread;
    if (step.seen[at] === step.at) continue;
    step.seen[at] = step.at;
    const instruction = program[at];
    switch (instruction?.kind) {
      case 'split':
        waiting.push({ at: instruction.second, slots }, { at: instruction.first, slots });
        break;
      case 'jump':
        waiting.push({ at: instruction.to, slots });
        break;
      case 'save':
        waiting.push({ at: at + 1, slots: slots.with(instruction.slot, step.at) });
        break;
      case 'assertion':
        if (holds(instruction.assertion, step)) waiting.push({ at: at + 1, slots });
        break;
      default:
        step.ready.push(thread);
    }
  }
}

const asciiWords: Ranges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

function holds(assertion: Assertion, { at, before, code, words }: Step): boolean {
  const isAscii = assertion === 'asciiWord' || assertion === 'notAsciiWord';
  const [left, right] = [before, code].map((one) => one >= 0 && includes(isAscii ? asciiWords : words, one));
  switch (assertion) {
    case 'start':
      return at === 0;
    case 'end':
      return code < 0;
    case 'lineStart':
      return at === 0 || before === 10;
    case 'lineEnd':
      return code < 0 || code === 10;
    case 'word':
    case 'asciiWord':
      return left !== right;
    case 'notWord':
    case 'notAsciiWord':
      return left === right;
    case 'wordStart':
      return left === false && right === true;
    case 'wordEnd':
      return left === true && right === false;
    case 'wordStartHalf':
      return left === false;
    case 'wordEndHalf':
      return right === false;
  }
}
