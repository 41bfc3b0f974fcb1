import type { SyntaxNode, Tree } from '@lezer/common';
import { parser, trackVariables } from 'lezer-feel';
import { EngineError } from '../errors.js';
import { defaultLimits } from '../limits.js';
import type { Scope } from './scope.js';
import { lean } from './tracker.js';
import type { FeelType } from './values/value.js';

export type Dialect = 'Expression' | 'UnaryTests';
type Configured = Record<Dialect, ReturnType<typeof parser.configure>>;

/** Parses expressions of a document. Its parsers are made once for each scope. */
export class FeelParser {
  readonly #parsers = new Map<Scope, Configured>();
  readonly #shapes: Shapes;
  /** `performance.now()` after which nothing more is parsed. */
  readonly #deadline: number;

  readonly #joined: (source: string) => string;

  constructor(shapes: Omit<Shapes, 'made'>, deadline: number) {
    this.#shapes = { ...shapes, made: [] };
    this.#deadline = deadline;
    this.#joined = joiners.get(shapes.builtins) ?? joinerOf(shapes.builtins);
    joiners.set(shapes.builtins, this.#joined);
  }

  /** Lets go of all that it knows, once a document is compiled: its expressions may hold on to it. */
  close(): void {
    this.#parsers.clear();
  }

  /**
   * @throws EngineError `limit_ast` for an expression that is too long, `limit_program` where a document's take too long
   */
  parse(source: string, dialect: Dialect, scope: Scope): Tree {
    if (source.length > longestSource) {
      throw new EngineError('limit_ast', `An expression has more than ${longestSource} characters.`);
    }
    const started = this.requireTime();
    const parse = this.#parserOf(scope)[dialect].startParse(this.#joined(readable(source)));
    let tree: Tree | null = null;
    for (let round = 1; tree === null; round++) {
      tree = parse.advance();
      if (round % roundsPerClockRead !== 0) continue;
      const now = this.requireTime();
      if (now > started + longestMs) throw new EngineError('limit_ast', 'This expression takes too long to read.');
    }
    return tree;
  }

  /** Thousands of short expressions take long, too: asked before each. @returns the time */
  requireTime(): number {
    const now = performance.now();
    if (now > this.#deadline) throw new EngineError('limit_program', 'The expressions take too long to read.');
    return now;
  }

  #parserOf(given: Scope): Configured {
    const scope = given.ofParser;
    const known = this.#parsers.get(scope);
    if (known !== undefined) return known;
    const names = noNames();
    for (const [name, type] of scope.all()) {
      if (name.length <= longestName && !Object.hasOwn(names, name)) names[name] = shapeOf(type, this.#shapes);
    }
    const contextTracker = lean(trackVariables(names));
    const made: Configured = {
      Expression: parser.configure({ top: 'Expression', contextTracker }),
      UnaryTests: parser.configure({ top: 'UnaryTests', contextTracker }),
    };
    this.#parsers.set(scope, made);
    return made;
  }
}

const longestSource = 100_000;
/** Milliseconds that one expression may take; most take a tenth of one. */
const longestMs = 2000;
/** Longer names are known to nobody who writes expressions. */
const longestName = 500;
const roundsPerClockRead = 64;

/**
 * The source with what the grammar does not know in the form of what it knows, of the same length: nodes are read by their
 * place in the source itself.
 */
const readable = (source: string): string =>
  source.includes('range') ? source.replace(/\brange(\s*)</g, (_, space: string) => `list ${space}<`) : source;

/** One for the language's functions, whose pattern takes longer to make than most documents have expressions. */
const joiners = new WeakMap<readonly string[], (source: string) => string>();

/**
 * Joins the words of built-in functions' names where one is called (`string_length(`), of the same length too. Such names
 * would else be known to the parser in each scope, which takes it much longer.
 */
function joinerOf(names: readonly string[]): (source: string) => string {
  const words = [...names].sort((a, b) => b.length - a.length).map((name) => name.replaceAll(' ', '\\s+'));
  const called = new RegExp(`(?<![\\p{L}\\p{N}_] *)(?:${words.join('|')})(?=\\s*\\()`, 'gu');
  return (source) => (source.includes('(') ? source.replace(called, (name) => name.replace(/\s/g, '_')) : source);
}

/** The parts of a node that mean something. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'BlockComment' && child.name !== 'LineComment') children.push(child);
  }
  return children;
}

/**
 * The first place that is no FEEL; undefined where there is none.
 * @throws EngineError `limit_ast`, `limit_depth`
 */
export function faultOf(tree: Tree, { astNodes, expressionDepth } = defaultLimits): Range | undefined {
  let [nodes, depth, deepest] = [0, 0, 0];
  let fault: Range | undefined;
  tree.iterate({
    enter({ type, from, to }) {
      if (++nodes > astNodes * nodesPerPart)
        throw new EngineError('limit_ast', `An expression has more than ${astNodes} parts.`);
      if (++depth > expressionDepth * nodesPerPart) throw new EngineError('limit_depth', tooDeep);
      if (fault === undefined) deepest = Math.max(deepest, depth);
      if (type.isError) fault ??= { from, to };
    },
    leave() {
      depth--;
    },
  });
  // So deep the parser closes by force what is open, and tells of a place where nothing is wrong.
  if (fault !== undefined && deepest > deepestParsed) throw new EngineError('limit_depth', tooDeep);
  return fault;
}

const tooDeep = 'An expression is nested too deep, or has too many operators in a row.';
/** Levels of the grammar's tree: it gives up from some 120 on, depending on how long names are. */
const deepestParsed = 100;

/** A part of a source; `to` is the first unit after it. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Nodes of the grammar's tree for each part that people would count. */
const nodesPerPart = 3;

/** What the parser knows of values: the names of their members, by which it tells `a b` from `a` beside `b`. */
interface Shapes {
  /** Names of the language's own functions that have blanks. */
  readonly builtins: readonly string[];
  /** Names of members that some value of the document may have: of values whose type is not known. */
  readonly unknown: Readonly<Record<string, unknown>>;
  /** By level: shapes of contexts, made once each. Item definitions that contain one another would have billions. */
  readonly made: Map<FeelType, unknown>[];
}

type Names = Record<string, unknown>;

/** Names are a stranger's: `__proto__` is one like any other here. */
export const noNames = (): Names => Object.setPrototypeOf({}, null) as Names;

/** Item definitions may contain themselves: so many levels of members are known to the parser. */
const maxLevels = 6;

function shapeOf(type: FeelType, shapes: Shapes, level = 0): unknown {
  if (level > maxLevels) return 1;
  switch (type.kind) {
    case 'any':
      return shapes.unknown;
    case 'list':
      return shapeOf(type.item, shapes, level);
    case 'constrained':
      return shapeOf(type.base, shapes, level);
    case 'named':
      return shapeOf(type.target(), shapes, level + 1);
    case 'function':
      return shapeOf(type.result, shapes, level);
    case 'context': {
      if (type.members.size === 0) return shapes.unknown;
      const known = (shapes.made[level] ??= new Map()).get(type);
      if (known !== undefined) return known;
      const members = noNames();
      shapes.made[level].set(type, members);
      for (const [name, member] of type.members) members[name] = shapeOf(member, shapes, level + 1);
      return members;
    }
    case 'range':
      return rangeShape;
    default:
      return durationShape;
  }
}

/** Members whose names have blanks. */
const rangeShape = { 'start included': 1, 'end included': 1 };
const durationShape = { 'time offset': 1 };
