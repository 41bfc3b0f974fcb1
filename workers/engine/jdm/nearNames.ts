import { nearest } from '../../nearest/index.js';
import { isRecord, recordsIn } from '../../json/index.js';
import { namesIn, rootNamesIn, withPath, type Name } from '../zen/names.js';
import { namesNothing } from '../zen/cellFault.js';
import { tableIn } from '../nodes/table.js';
import type { Written } from '../nodes/nodeType.js';
import { locationOf, type Model, type ModelNode } from './model.js';
import { pathsOf } from './pathsOf.js';
import type { Plan } from './plan.js';
import type { Report } from './reader.js';
import { parsedSchema } from './schemas.js';

// Names that are hardly meant where nobody knows all that a request has: nothing gives them, and others are a slip of the pen away, or
// they are a whole expression, as a text without its quotes is.

/** The nodes that give a name, or several places that read it. */
type Known = ReadonlyMap<string, string>;

/**
 * Warns where an expression or a condition of a switch reads a name that no node gives and neither the request's schema nor a test
 * has, and that differs by a slip from one that a node before it gives, or that others read, or where it is all
 * that an expression says and tests know nothing of it.
 * @param tests of the document
 * @param told pointers of what was told already
 */
export function checkNearNames(
  { nodes }: Model,
  { plan, tests, told }: { readonly plan: Plan; readonly tests: unknown; readonly told: ReadonlySet<string> },
  report: Report,
  isLate: () => boolean,
): void {
  const given = new Map(nodes.flatMap((node) => namesGiven(node).map((name) => [name, node.name] as const)));
  const asked = new Set([...namesOfRequest(nodes), ...namesOfTests(tests)]);
  const read = readsIn(nodes);
  const isCode = (name: string): boolean =>
    nodes.some(({ type, content }) => type === 'functionNode' && JSON.stringify(content).includes(name));
  const others = new Map([...read].flatMap(([name, count]) => (count > 1 ? [[name, 'read elsewhere']] : [])));
  // Tests say what a request has that is only passed on, but where a schema leaves it open. What a part of the data has, and what
  // nodes give whose content does not say it, nobody knows.
  const isTold =
    namesOfTests(tests).length > 0 && !nodes.some(({ type, content }) => type === 'inputNode' && content['schema']);
  const canKnow = ({ type, content }: ModelNode, index: number): boolean =>
    isTold &&
    type === 'expressionNode' &&
    content['executionMode'] !== 'loop' &&
    !content['inputField'] &&
    nodesBefore(plan, index).every((at) => !opaque.has(nodes[at]?.type ?? ''));
  for (const [index, node] of nodes.entries()) {
    const own = [...node.parsed.expressions()].filter((written) => isFormula(node, written));
    if (own.length === 0) continue;
    if (isLate()) return;
    const before: Known = new Map(
      nodesBefore(plan, index).flatMap((at) => {
        const each = nodes[at];
        return each === undefined ? [] : namesGiven(each).map((name) => [name, `given by ${each.name}`] as const);
      }),
    );
    const isKnown = (name: string): boolean => given.has(name) || asked.has(name) || isCode(name);
    for (const { source, field, label, pointer: within } of own) {
      const { pointer: above = '', ...location } = locationOf(node);
      const pointer = above + within;
      if (told.has(pointer)) continue;
      const names = namesIn(source, 'standard');
      const slips = (all: readonly Name[]) =>
        all.flatMap(({ path: [name = ''], span }) => {
          if (isKnown(name)) return [];
          const near = slipOf(name, before) ?? ((read.get(name) ?? 0) > 1 ? undefined : slipOf(name, others));
          return near === undefined ? [] : [{ name, near, span }];
        });
      const [bare] = slips(names);
      const first = bare ?? slips(rootNamesIn(source))[0];
      const where = { ...location, field, label, pointer, source };
      if (first === undefined) {
        const word = canKnow(node, index) ? wordAlone(names, source) : undefined;
        if (word !== undefined && !isKnown(word) && timesRead(word, nodes) === 1)
          report({
            ...{ code: 'type_error', severity: 'warning', message: namesNothing(word) },
            ...{ hint: `A text is written ${JSON.stringify(word)}.`, readings: [JSON.stringify(word), source] },
            ...where,
          });
        continue;
      }
      const { name, near, span } = first;
      const meant =
        first === bare
          ? withPath(source, names, { from: [name], to: [near] })
          : source.slice(0, span[0]) + source.slice(...span).replace(name, () => near) + source.slice(span[1]);
      report({
        code: 'type_error',
        severity: 'warning',
        message: `Nothing gives \`${name}\`, unless the request has it; \`${near}\` is ${before.get(near) ?? others.get(near) ?? ''}.`,
        hint: `Did you mean \`${near}\`?`,
        // Only a person knows: the request may have it.
        readings: [meant, source],
        ...where,
      });
    }
  }
}

/** Cells of tables are read by their columns. */
const isFormula = ({ type }: ModelNode, { kind, statement }: Written): boolean =>
  (type === 'expressionNode' && kind === 'standard') || statement !== undefined;

/** The first names of what a node writes. */
const namesGiven = ({ type, content }: ModelNode): readonly string[] => {
  const { outputPath } = content;
  const all = typeof outputPath === 'string' && outputPath.trim() !== '' ? [[outputPath]] : pathsOf(type, content);
  return all.map(([path = '']) => path.trim().split('.', 1)[0] ?? '');
};

const namesOfRequest = (nodes: Model['nodes']): readonly string[] =>
  nodes.flatMap(({ content }) => {
    const schema = parsedSchema(content['schema']);
    return isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  });

const namesOfTests = (tests: unknown): readonly string[] =>
  recordsIn(tests).flatMap(({ input }) => (isRecord(input) ? Object.keys(input) : []));

const opaque: ReadonlySet<string> = new Set(['functionNode', 'decisionNode', 'customNode']);

/** The one word that an expression is: who forgets the quotes of a text writes it. */
const wordAlone = ([name]: readonly Name[], source: string): string | undefined =>
  name?.path.length === 1 && name.path[0] === source.trim() ? name.path[0] : undefined;

const timesRead = (word: string, nodes: Model['nodes']): number =>
  nodes.flatMap(({ parsed }) =>
    [...parsed.expressions()].filter(
      ({ source, kind }) =>
        source.includes(word) &&
        namesIn(source, kind === 'unary' ? kind : 'standard').some(({ path: [first] }) => first === word),
    ),
  ).length;

/** How many places read each name; a column that somebody has made for a field counts as several. */
function readsIn(nodes: Model['nodes']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (names: readonly Name[], count: number): void => {
    for (const name of new Set(names.map(({ path: [first = ''] }) => first)))
      counts.set(name, (counts.get(name) ?? 0) + count);
  };
  for (const node of nodes) {
    for (const written of node.parsed.expressions())
      if (isFormula(node, written)) add(namesIn(written.source, 'standard'), 1);
    if (node.type === 'decisionTableNode')
      for (const { field } of tableIn(node.content).inputs) add(namesIn(field, 'standard'), 2);
  }
  return counts;
}

/** By index: all from which one comes to a node. */
function nodesBefore(plan: Plan, index: number): readonly number[] {
  const found = new Set<number>([index]);
  for (const at of found) for (const edge of plan.incoming[at] ?? []) found.add(plan.source[edge] ?? at);
  found.delete(index);
  return [...found];
}

const slipOf = (name: string, known: Known): string | undefined =>
  nearest(
    name,
    Array.from(known.keys()).filter((each) => each !== name && isSlip(name, each)),
    2,
  );

/** Shorter names are near to everything; in longer ones two letters may be wrong. */
const [shortest, long] = [4, 8];

/** Whether two names differ as a slip of the pen does: `item` and `items`, `rate1` and `rate2`, `height` and `weight` are two. */
function isSlip(name: string, other: string): boolean {
  const [one, two] = [name.toLowerCase(), other.toLowerCase()];
  if (one === two) return true;
  if (Math.min(one.length, two.length) < shortest || one[0] !== two[0]) return false;
  if (one.replace(/\D/g, '') !== two.replace(/\D/g, '') || `${one}s` === two || `${two}s` === one) return false;
  const end = Math.min(one.length, two.length);
  let [start, back] = [0, 0];
  while (one[start] === two[start]) start++;
  while (back < end - start && one.at(-1 - back) === two.at(-1 - back)) back++;
  const [left, right] = [one.slice(start, one.length - back), two.slice(start, two.length - back)];
  const isSwapped = left.length === 2 && left === `${right.charAt(1)}${right.charAt(0)}`;
  // Another last letter tells two names from one another, as in `rateA` and `rateB`.
  if (isSwapped || left === '' || right === '') return Math.abs(left.length - right.length) <= 1;
  return back > 0 && Math.max(left.length, right.length) <= (end < long || start < 3 ? 1 : 2);
}
