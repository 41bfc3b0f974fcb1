import { stringify, type Value } from '../engine/index.js';
import { isObject } from '../engine/zen/values/kinds.js';
import type { ExaminedModel } from './model.js';
import type { Analysis, ReachElement } from './report.js';
import { rowElement, statementElement, type Candidate, type Explored } from './search.js';

/** Tests that reach all that could be reached, and what they do not. */
export interface Suggestions {
  readonly tests: readonly SuggestedTest[];
  readonly unreachable: readonly Element[];
  readonly unknown: readonly Element[];
}

interface SuggestedTest {
  readonly name: string;
  readonly input: Value;
  readonly output: Value;
  /** Rows and statements for which no other test is suggested. */
  readonly reaches: readonly Element[];
}

type Element = Omit<ReachElement, 'status'>;

interface Found {
  readonly explored: readonly Explored[];
  /** Adds tests that notice changes which the others do not. */
  readonly sharpen: (tests: readonly Candidate[], most: number) => Promise<readonly Candidate[]>;
}

/** Tests for each row and statement that is reached. */
const mostPerElement = 1.5;

/** Few of the explored facts that together reach what all of them do: each time the one that reaches most that is new. */
export async function suggestTests(
  examined: ExaminedModel,
  { reach }: Analysis,
  { explored, sharpen }: Found,
): Promise<Suggestions> {
  const bare = ({ nodeId, ruleId }: Element): Element => ({ nodeId, ruleId });
  const keys = elementKeys(examined, reach.elements);
  const left = new Set(keys.keys());
  const chosen: Candidate[] = [];
  for (const best of greedily(explored, left)) {
    for (const key of best.reached) left.delete(key);
    chosen.push(best);
  }
  const fresh = new Set(keys.keys());
  const places = new Map([...keys.values()].map((element, place) => [element, place]));
  let boundaries = 0;
  const named = (await sharpen(chosen, Math.floor(mostPerElement * reach.reachable))).map(
    ({ fact, result, reached }) => {
      const reaches = reached.filter((key) => fresh.delete(key)).flatMap((key) => keys.get(key) ?? []);
      const [first] = reaches;
      const about = first?.label ?? `Boundary ${++boundaries}`;
      const values = leavesOf(fact).slice(0, mostLeaves).join(', ');
      const name = `${about}: ${values || 'nothing given'}`.slice(0, mostLetters);
      const test: SuggestedTest = { name, input: fact, output: result, reaches: reaches.map(bare) };
      return { test, place: first === undefined ? keys.size : (places.get(first) ?? keys.size) };
    },
  );
  // People read them along the rows of their tables.
  const tests = named.sort((one, other) => one.place - other.place).map(({ test }) => test);
  const of = (wanted: ReachElement['status']): Element[] =>
    reach.elements.filter(({ status }) => status === wanted).map(bare);
  return { tests, unreachable: of('unreachable'), unknown: of('unknown') };
}

/**
 * Each time the fact that reaches most of what is left. Counts only fall, so each fact waits among those that had its count,
 * and falls further when its turn comes.
 */
function* greedily(explored: readonly Explored[], left: ReadonlySet<string>): Iterable<Explored> {
  const countOf = ({ reached }: Explored): number => new Set(reached.filter((key) => left.has(key))).size;
  const waiting: Explored[][] = [];
  const wait = (each: Explored, count: number): unknown => (waiting[count] ??= []).push(each);
  for (const each of explored) wait(each, countOf(each));
  for (let most = waiting.length - 1; most > 0; most--) {
    for (const each of waiting[most] ?? []) {
      const count = countOf(each);
      if (count === most) yield each;
      else wait(each, count);
    }
  }
}

/** As many values of a fact, and letters of a name, as somebody reads in a list. */
const [mostLeaves, mostLetters] = [4, 120];

/** What stands in a fact, without the names. */
function leavesOf(value: Value): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (isObject(value)) return Object.values(value).flatMap(leavesOf);
  return [typeof value === 'string' ? value : stringify(value).replaceAll('"', '')];
}

/** A row or statement, with what people call it. */
interface Named extends Element {
  readonly label: string;
}

/** Rows and statements by the keys that explored facts have for them. */
function elementKeys(
  { tables: all, statements }: ExaminedModel,
  elements: readonly ReachElement[],
): Map<string, Named> {
  const keys = new Map<string, Named>();
  const tables = new Set<string>();
  for (const { nodeId, name, word, ruleIds } of all.filter(({ isTraced }) => isTraced)) {
    tables.add(nodeId);
    for (const [index, ruleId] of ruleIds.entries()) {
      const label = `${name} ${word.toLowerCase()} ${index + 1}`;
      keys.set(rowElement(nodeId, index), { nodeId, ruleId, label });
    }
  }
  const names = new Map(statements.map(({ nodeId, name }) => [nodeId, name]));
  const ways = new Map<string, number>();
  for (const { nodeId, ruleId } of elements) {
    if (tables.has(nodeId)) continue;
    const way = (ways.get(nodeId) ?? 0) + 1;
    ways.set(nodeId, way);
    keys.set(statementElement(nodeId, ruleId), {
      nodeId,
      ruleId,
      label: `${names.get(nodeId) ?? nodeId} way ${way}`,
    });
  }
  return keys;
}
