import type { Footprint } from '../footprint.js';
import { Walk, type Path, type Plan } from './plan.js';

/** Part of a path: from the start of the graph, or from a switch, to the next switch or to the end. */
interface Segment {
  readonly steps: { readonly node: number; readonly parents: readonly number[] }[];
  /** What follows, by the statements that the switch at the end of this segment chose. */
  readonly branches: Map<string, Segment>;
  /** What `Path.close` returned for the switch at its start. */
  readonly whole: boolean;
  /** Known once a run has ended on this segment. */
  leaves: readonly number[] | undefined;
}

/** Segments that one program remembers, and their bytes; runs beyond that find their way by walking. */
const maxSegments = 500;
const maxBytes = 4 * 1024 * 1024;
/** Estimated bytes of a segment that passes the whole graph. */
const bytesPerNode = 120;
const bytesPerEdge = 16;

/**
 * The ways through a graph with switches. A switch decides between few ways, so that each is walked once and then
 * followed by all later runs that decide alike. This is a cache: it never changes what a run does.
 */
export class SwitchPaths {
  readonly #plan: Plan;
  readonly #footprint: Footprint;
  readonly #start = emptySegment(true);
  readonly #bytesEach: number;
  #count = 0;
  #bytes = 0;

  constructor(plan: Plan, footprint: Footprint) {
    this.#plan = plan;
    this.#footprint = footprint;
    this.#bytesEach = 200 + plan.roles.length * bytesPerNode + plan.source.length * bytesPerEdge;
  }

  /** A new run's path. */
  path(): Path {
    return new RememberedPath(this.#plan, this.#start, (from, choice, whole) => this.#branch(from, choice, whole));
  }

  #branch(from: Segment, choice: string, whole: boolean): Segment {
    const fresh = emptySegment(whole);
    const bytes = this.#bytesEach + choice.length * 2;
    const fits = this.#bytes + bytes <= maxBytes && this.#footprint.hasRoomFor(bytes);
    if (fits && this.#count < maxSegments) {
      this.#footprint.add(bytes);
      this.#bytes += bytes;
      this.#count++;
      from.branches.set(choice, fresh);
    }
    return fresh;
  }
}

function emptySegment(whole: boolean): Segment {
  return { steps: [], branches: new Map(), whole, leaves: undefined };
}

/** Adds a segment to the known ones, if there is room. */
type Branch = (from: Segment, choice: string, whole: boolean) => Segment;

interface Decision {
  readonly node: number;
  readonly statements: readonly string[];
}

/** Follows known segments and, where they end, a walk whose steps it adds to them. */
class RememberedPath implements Path {
  readonly #plan: Plan;
  readonly #branch: Branch;
  readonly #decisions: Decision[] = [];
  /** Index in the segment of the step that is due. */
  #due = 0;
  #segment: Segment;
  #walk: Walk | undefined;

  constructor(plan: Plan, start: Segment, branch: Branch) {
    this.#plan = plan;
    this.#segment = start;
    this.#branch = branch;
  }

  next(): number {
    const known = this.#segment.steps[this.#due];
    if (known !== undefined) {
      this.#due++;
      this.#walk?.next();
      return known.node;
    }
    if (this.#segment.leaves !== undefined) return -1;
    const walk = this.#walked();
    const node = walk.next();
    if (node < 0) return -1;
    this.#segment.steps.push({ node, parents: walk.parents(node) });
    this.#due++;
    return node;
  }

  close(node: number, statements: readonly string[]): boolean {
    const [only] = statements;
    const choice = statements.length === 1 && only !== undefined ? `=${only}` : JSON.stringify(statements);
    const known = this.#segment.branches.get(choice);
    if (known === undefined) {
      const whole = this.#walked().close(node, statements);
      this.#segment = this.#branch(this.#segment, choice, whole);
    } else {
      this.#walk?.close(node, statements);
      this.#segment = known;
    }
    this.#decisions.push({ node, statements });
    this.#due = 0;
    return this.#segment.whole;
  }

  /** Asked only for the node that `next` named last. */
  parents(): readonly number[] {
    return this.#segment.steps[this.#due - 1]?.parents ?? [];
  }

  leaves(): readonly number[] {
    this.#segment.leaves ??= this.#walked().leaves();
    return this.#segment.leaves;
  }

  /** A walk at this path's position: the steps that came from known segments are replayed on it. */
  #walked(): Walk {
    if (this.#walk !== undefined) return this.#walk;
    const walk = new Walk(this.#plan);
    for (const { node, statements } of this.#decisions) {
      for (let at = walk.next(); at !== node && at >= 0; at = walk.next());
      walk.close(node, statements);
    }
    for (let step = 0; step < this.#due; step++) walk.next();
    this.#walk = walk;
    return walk;
  }
}
