import { stringify, type Program, type ValueObject } from '../engine/index.js';
import type { ExaminedTable } from './examinedGraph.js';
import type { Deadline } from './deadline.js';
import { pointIn } from './shownRegion.js';
import type { Sharpening } from './model.js';
import { isSelfContained, mutantsOf, type Mutant } from './mutants.js';
import { elementsIn, rowElement, laidOver, type Candidate } from './search.js';
import { outcomeOf, writesOf } from './witness.js';

interface SharpenedModel extends Sharpening {
  readonly document: unknown;
  readonly program: Program;
  readonly tables: readonly ExaminedTable[];
}

/** Facts that are tried for one cell. */
const mostTries = 120;
/** Facts that a row's own input is laid over. */
const mostBases = 25;

/**
 * More tests, so that another value in any cell gives another result in one of them: each cell is changed, the model is run,
 * and where no test notices a fact is looked for that does. Models that need others to run are left as they are.
 */
export async function sharpened(tests: readonly Candidate[], sharpening: SharpenedModel): Promise<Candidate[]> {
  const { document, tables, most, until } = sharpening;
  const chosen = [...tests];
  if (!isSelfContained(document)) return chosen;
  for (const { node, found } of tables) {
    for (const mutant of mutantsOf(document, node)) {
      if (until.isOver() || chosen.length >= most) return chosen;
      if (found.unreachable.has(mutant.row)) continue;
      const program = mutant.program();
      if (program === undefined || (await noticed(program, chosen, until)) !== undefined) continue;
      const notice = await noticed(program, tries(mutant, { found, chosen, ...sharpening }), until);
      if (notice !== undefined) chosen.push(notice);
    }
  }
  return chosen;
}

/** The first fact that the changed model answers otherwise. */
async function noticed(
  changed: Program,
  facts: Iterable<Candidate> | AsyncIterable<Candidate>,
  until: Deadline,
): Promise<Candidate | undefined> {
  for await (const candidate of facts) {
    if (until.isOver()) return undefined;
    const outcome = await outcomeOf(changed, candidate.fact, until);
    if (outcome.status === 'FAILED' || stringify(outcome.result) !== stringify(candidate.result)) return candidate;
  }
  return undefined;
}

interface Trying extends SharpenedModel, Pick<ExaminedTable, 'found'> {
  readonly chosen: readonly Candidate[];
}

/** Facts that come to the row, and others with its input, or values around the cell's, in them. */
async function* tries(
  { nodeId, row, field, values }: Mutant,
  { found: { boxes, regions }, chosen, pool, program, until }: Trying,
): AsyncIterable<Candidate> {
  const element = rowElement(nodeId, row);
  const reaching = pool.filter(({ reached }) => reached.includes(element));
  yield* reaching.slice(0, mostTries);
  const region = regions[row];
  const point = region === null || region === undefined ? [] : pointIn(boxes, region);
  const own = writesOf(boxes.dimensions, point);
  const variants = [own, ...(field === null ? [] : values.map((value) => [...own, { path: field, value }]))];
  const bases = diverse([...reaching, ...chosen, ...pool]);
  let left = mostTries;
  for (const base of bases) {
    for (const writes of variants) {
      if (left-- <= 0) return;
      const candidate = await candidateOf(program, laidOver(base.fact, writes), until);
      if (candidate !== undefined) yield candidate;
    }
  }
}

/** Facts whose results differ, as far as there are such. */
function diverse(candidates: readonly Candidate[]): Candidate[] {
  const byResult = new Map(candidates.map((candidate) => [stringify(candidate.result), candidate]));
  return [...byResult.values()].slice(0, mostBases);
}

async function candidateOf(program: Program, fact: ValueObject, until: Deadline): Promise<Candidate | undefined> {
  const outcome = await outcomeOf(program, fact, until);
  return outcome.status === 'FAILED'
    ? undefined
    : { fact, result: outcome.result, reached: elementsIn(outcome.trace ?? {}) };
}
