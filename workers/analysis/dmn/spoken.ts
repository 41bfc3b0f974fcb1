import type { Node } from '../../engine/dmn/graph.js';
import type { DmnProgramParts } from '../../engine/dmn/program.js';
import { readDefinitions } from '../../engine/dmn/definitions.js';

/** The part of a document that a property speaks of. */
export interface Spoken {
  /** The names of its decisions, as an execution selects them; undefined where it is the whole document. */
  readonly select: readonly string[] | undefined;
  readonly inputs: readonly Node[];
  readonly decisions: readonly Node[];
  /** These, and functions that they call; null where it is the whole document. */
  readonly nodes: ReadonlySet<Node> | null;
}

/** @param result the members that the property reads of the result; null for all of it */
export function spokenOf({ inputs, decisions, tops }: DmnProgramParts, result: ReadonlySet<string> | null): Spoken {
  const whole: Spoken = { select: undefined, inputs, decisions, nodes: null };
  const wanted = tops.filter(({ part }) => result?.has(part.name) === true);
  const isOne = (name: string): boolean => decisions.filter(({ part }) => part.name === name).length === 1;
  if (result === null || !wanted.every(({ part }) => isOne(part.name))) return whole;
  const nodes = new Set(wanted);
  for (const node of nodes) for (const each of node.requires) nodes.add(each);
  // What a service works out is required of nobody by name.
  if ([...nodes].some(({ part }) => part.kind === 'service')) return whole;
  return {
    select: wanted.map(({ part }) => part.name),
    inputs: inputs.filter((each) => nodes.has(each)),
    decisions: decisions.filter((each) => nodes.has(each)),
    nodes,
  };
}

const time = /\b(now|today)\s*\(/;

/** What of it asks for the time: the name of an element, or `the document`; undefined where nothing does. */
export function asksForTime(xml: string, nodes: ReadonlySet<Node> | null): string | undefined {
  const ids = nodes && new Set([...nodes].map(({ part }) => part.id));
  let rest = xml;
  for (const { id, name, element } of readDefinitions(xml).parts.toReversed()) {
    if ((ids === null || ids.has(id)) && time.test(xml.slice(element.offset, element.end))) return `“${name}”`;
    rest = rest.slice(0, element.offset) + rest.slice(element.end);
  }
  return time.test(rest) ? 'the document' : undefined;
}
