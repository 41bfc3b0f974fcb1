import type { SyntaxNode, Tree } from '@lezer/common';
import { parser, trackVariables } from 'lezer-feel';
import { EngineError } from '../errors.js';
import { defaultLimits } from '../limits.js';
import type { Scope } from './scope.js';
import { noNames, shapeOf, type Shapes } from './shapes.js';

export type Dialect = 'Expression' | 'UnaryTests';
type Configured = Record<Dialect, ReturnType<typeof parser.configure>>;

/** Parses expressions of a document. Its parsers are made once for each scope. */
export class FeelParser {
  readonly #parsers = new WeakMap<Scope, Configured>();
  readonly #shapes: Shapes;
  /** `performance.now()` after which nothing more is parsed. */
  readonly #deadline: number;

  constructor(shapes: Shapes, deadline: number) {
    this.#shapes = shapes;
    this.#deadline = deadline;
  }

  /**
   * @throws EngineError `limit_ast` for an expression that is too long, `limit_program` where a document's take too long
   */
  parse(source: string, dialect: Dialect, scope: Scope): Tree {
    if (source.length > longestSource) {
      throw new EngineError('limit_ast', `An expression has more than ${longestSource} characters.`);
    }
    const parse = this.#parserOf(scope)[dialect].startParse(readable(source));
    let tree: Tree | null = null;
    for (let round = 1; tree === null; round++) {
      tree = parse.advance();
      if (round % roundsPerClockRead === 0 && performance.now() > this.#deadline) {
        throw new EngineError('limit_program', "The document's expressions take too long to read.");
      }
    }
    return tree;
  }

  #parserOf(given: Scope): Configured {
    const scope = given.ofParser;
    const known = this.#parsers.get(scope);
    if (known !== undefined) return known;
    const names = noNames();
    for (const [name, type] of scope.all()) {
      if (!Object.hasOwn(names, name)) names[name] = shapeOf(type, this.#shapes);
    }
    const contextTracker = trackVariables({ ...this.#shapes.builtins, ...names });
    const made: Configured = {
      Expression: parser.configure({ top: 'Expression', contextTracker }),
      UnaryTests: parser.configure({ top: 'UnaryTests', contextTracker }),
    };
    this.#parsers.set(scope, made);
    return made;
  }
}

const longestSource = 100_000;
const roundsPerClockRead = 64;

/**
 * The source with what the grammar does not know in the form of what it knows, of the same length: nodes are read by their
 * place in the source itself.
 */
const readable = (source: string): string =>
  source.includes('range') ? source.replace(/\brange(\s*)</g, (_, space: string) => `list ${space}<`) : source;

/** The first place that is no FEEL; undefined where there is none. */
export function faultOf(tree: Tree): { from: number; to: number } | undefined {
  let fault: { from: number; to: number } | undefined;
  tree.iterate({
    enter(node) {
      if (fault !== undefined) return false;
      if (node.type.isError) fault = { from: node.from, to: node.to };
      return undefined;
    },
  });
  return fault;
}

/** The parts of a node that mean something. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'BlockComment' && child.name !== 'LineComment') children.push(child);
  }
  return children;
}

/** @throws EngineError `limit_ast`, `limit_depth` */
export function checkSize(tree: Tree, { astNodes, expressionDepth } = defaultLimits): void {
  let nodes = 0;
  let depth = 0;
  tree.iterate({
    enter() {
      if (++nodes > astNodes * nodesPerPart)
        throw new EngineError('limit_ast', `An expression has more than ${astNodes} parts.`);
      if (++depth > expressionDepth * nodesPerPart)
        throw new EngineError('limit_depth', 'An expression is nested too deep.');
    },
    leave() {
      depth--;
    },
  });
}

/** Nodes of the grammar's tree for each part that people would count. */
const nodesPerPart = 3;
