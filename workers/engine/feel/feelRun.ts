import { EngineError } from '../errors.js';
import type { Limits } from '../limits.js';
import type { RunState } from '../values.js';

/** An expression of a model, and where it stands. */
export interface Place {
  /** Id of the decision, business knowledge model or service that it belongs to, and its name. */
  readonly nodeId: string;
  readonly node: string;
  /** The path of elements: `/definitions/decision[2]/literalExpression`. */
  readonly pointer: string;
  readonly source: string;
}

/** A part of an expression. `to` is the first unit after it. */
export interface Site {
  readonly place: Place;
  readonly from: number;
  readonly to: number;
}

/** Says of an error of the engine in which expression it happened; the innermost one stays. */
export function locate(error: unknown, { nodeId, node, pointer, source }: Place): void {
  if (!(error instanceof EngineError)) return;
  error.at({
    ...{ nodeId, nodeName: node, field: pointer, label: labelOf(pointer) },
    ...{ source: source.slice(0, longestSource), span: [0, Math.min(source.length, longestSource)] },
  });
}

/** A path of elements for people: `rule 3, input 1`, `literal expression`. */
export function labelOf(pointer: string): string {
  const words = (name = ''): string =>
    name.replace(/\[.*/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const [, rule, , entry, at] = /\/rule(?:\[(\d+)\])?(\/(inputEntry|outputEntry)(?:\[(\d+)\])?)$/.exec(pointer) ?? [];
  if (entry === undefined) return words(pointer.split('/').at(-1));
  return `rule ${rule ?? 1}, ${entry === 'inputEntry' ? 'input' : 'output'} ${at ?? 1}`;
}

/** Why something is null. */
export interface Warning {
  readonly nodeId: string;
  readonly node: string;
  readonly message: string;
  readonly source: string;
  readonly span: readonly [start: number, end: number];
}

/** Warnings of one run that are kept; the others are counted. */
export const mostWarnings = 100;
const longestSource = 500;

/** What all expressions of one run have in common. One object a run. */
export class Run {
  readonly #warnings: { readonly message: string; readonly site: Site }[] = [];
  /** All warnings, those that were not kept too. */
  warningCount = 0;

  /**
   * In a traced run: is told each entry of an element's logic, a value of FEEL, when it is made.
   * @param isOneOfMany the entry is a list, of which this is the next item
   */
  note: ((name: string, value: unknown, isOneOfMany?: boolean) => void) | undefined;

  readonly state: RunState;

  constructor(state: RunState) {
    this.state = state;
  }

  get limits(): Limits {
    return this.state.limits;
  }

  /** Says why a value is null, and gives null. */
  warn(site: Site, message: string): null {
    this.warningCount++;
    if (this.#warnings.length < mostWarnings) this.#warnings.push({ message, site });
    return null;
  }

  warnings(): Warning[] {
    return this.#warnings.map(({ message, site: { place, from, to } }) => ({
      nodeId: place.nodeId,
      node: place.node,
      message,
      source: place.source.slice(0, longestSource),
      span: [from, to] as const,
    }));
  }
}
