import { Walk, type Path, type Plan } from './plan.js';

/** The way of a graph from its start, or from a switch on, to the next switch or to the end. */
interface Track {
  readonly steps: { readonly node: number; readonly parents: readonly number[] }[];
  /** What follows, by the statements that the switch at the end of this track chose. */
  readonly branches: Map<string, Track>;
  /** What `close` said of the switch at its start. */
  readonly whole: boolean;
  /** Known once a run has ended on this track. */
  leaves: readonly number[] | undefined;
}

/** Tracks that one program remembers; runs beyond that find their way by walking. */
const mostTracks = 500;

/**
 * The ways through a graph with switches. A switch decides between few ways, so that each is walked once and then
 * followed by all later runs that decide alike. Only the memory changes, never what a run does.
 */
export class Tracks {
  readonly #plan: Plan;
  readonly #start = emptyTrack(true);
  #count = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** A new run's path. */
  path(): Path {
    return new TrackPath(this.#plan, this.#start, (from, choice, whole) => this.#branch(from, choice, whole));
  }

  #branch(from: Track, choice: string, whole: boolean): Track {
    const fresh = emptyTrack(whole);
    if (this.#count < mostTracks) {
      this.#count++;
      from.branches.set(choice, fresh);
    }
    return fresh;
  }
}

function emptyTrack(whole: boolean): Track {
  return { steps: [], branches: new Map(), whole, leaves: undefined };
}

/** Adds a track to the known ones, if there is room. */
type Branch = (from: Track, choice: string, whole: boolean) => Track;

interface Decision {
  readonly node: number;
  readonly statements: readonly string[];
}

/** Follows known tracks and, where they end, a walk whose steps it adds to them. */
class TrackPath implements Path {
  readonly #plan: Plan;
  readonly #branch: Branch;
  readonly #decisions: Decision[] = [];
  /** Index in the track of the step that is due. */
  #due = 0;
  #track: Track;
  #walk: Walk | undefined;

  constructor(plan: Plan, start: Track, branch: Branch) {
    this.#plan = plan;
    this.#track = start;
    this.#branch = branch;
  }

  next(): number {
    const known = this.#track.steps[this.#due];
    if (known !== undefined) {
      this.#due++;
      this.#walk?.next();
      return known.node;
    }
    if (this.#track.leaves !== undefined) return -1;
    const walk = this.#walked();
    const node = walk.next();
    if (node < 0) return -1;
    this.#track.steps.push({ node, parents: walk.parents(node) });
    this.#due++;
    return node;
  }

  close(node: number, statements: readonly string[]): boolean {
    const [only] = statements;
    const choice = statements.length === 1 && only !== undefined ? `=${only}` : JSON.stringify(statements);
    const known = this.#track.branches.get(choice);
    if (known === undefined) {
      const whole = this.#walked().close(node, statements);
      this.#track = this.#branch(this.#track, choice, whole);
    } else {
      this.#walk?.close(node, statements);
      this.#track = known;
    }
    this.#decisions.push({ node, statements });
    this.#due = 0;
    return this.#track.whole;
  }

  /** Asked only for the node that `next` named last. */
  parents(): readonly number[] {
    return this.#track.steps[this.#due - 1]?.parents ?? [];
  }

  leaves(): readonly number[] {
    this.#track.leaves ??= this.#walked().leaves();
    return this.#track.leaves;
  }

  /** A walk that whole where this path does: what was followed so far is walked after the fact. */
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
