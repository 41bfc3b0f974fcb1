import { stringify, type Program, type Trace, type Value, type ValueObject } from '../engine/index.js';
import type { Deadline } from './deadline.js';
import type { Box } from './boxes.js';
import { describeRegion, pointIn } from './findings.js';
import type { AnalysedModel, CheckedChange, Facts } from './model.js';
import type { ModelChange, ReportedRegion } from './report.js';
import type { TableChange } from './tableChange.js';
import { callsIn, factOf, outcomeOf } from './witness.js';

/** Regions that are told; a change of more than that is a different model. */
const mostRegions = 100;

/**
 * Where two versions give different results. Equal is proved: all nodes are the same, or tables that take every input alike.
 */
export async function modelChange(before: AnalysedModel, after: AnalysedModel, facts: Facts): Promise<CheckedChange> {
  const change = await changeBetween(before, after, facts);
  if (change.status !== 'equal') return { change, unconfirmed: 0 };
  const seen = await sampled(before, after, facts, null);
  return seen.status === 'different' ? { change: seen, unconfirmed: 1 } : { change, unconfirmed: 0 };
}

async function changeBetween(before: AnalysedModel, after: AnalysedModel, facts: Facts): Promise<ModelChange> {
  if (before.linked !== after.linked) return sampled(before, after, facts, 'a decision that they call is another one');
  const changes = before.changes(after, facts.until);
  if (typeof changes === 'string') return sampled(before, after, facts, changes);
  if (changes.length === 0) return { status: 'equal', regions: [], undecided: [], reason: null };
  const regions: ReportedRegion[] = [];
  const undecided: string[] = [];
  for (const { nodeId, change } of changes) {
    for (const { box } of change.regions) {
      const isTold = regions.length < mostRegions;
      const region = isTold ? await regionOf(before, after, { nodeId, change, box, facts }) : undefined;
      if (region === undefined) undecided.push(describeRegion(change.boxes, box));
      else regions.push(region);
    }
  }
  if (regions.length > 0) return { status: 'different', regions, undecided, reason: null };
  return { ...(await sampled(before, after, facts, null)), undecided };
}

interface Sought {
  readonly nodeId: string;
  readonly change: TableChange;
  readonly box: Box;
  readonly facts: Facts;
}

/** A region with a fact that shows it; undefined where none was found. */
async function regionOf(
  before: AnalysedModel,
  after: AnalysedModel,
  { nodeId, change: { boxes }, box, facts: { explored, until } }: Sought,
): Promise<ReportedRegion | undefined> {
  const made = factOf(boxes.dimensions, pointIn(boxes, box));
  const isWithin = (trace: Trace = {}): boolean =>
    callsIn(trace, nodeId).some(({ input }) =>
      boxes.dimensions.every((each, index) => each.isIn(input, box[index] ?? [])),
    );
  const found = explored.filter(({ trace }) => isWithin(trace)).map(({ fact }) => fact);
  for (const fact of [...(made === undefined ? [] : [made]), ...found]) {
    const shown = await resultsOn(before, after, { fact, until });
    if (shown === undefined || !isWithin(shown.trace)) continue;
    const { trace: _, ...region } = shown;
    return { when: describeRegion(boxes, box), ...region };
  }
  return undefined;
}

/** Facts that give different results, where not all of the change can be compared. @param reason why not */
async function sampled(
  before: AnalysedModel,
  after: AnalysedModel,
  { explored, until }: Facts,
  reason: string | null,
): Promise<ModelChange> {
  for (const { fact } of explored) {
    const shown = await resultsOn(before, after, { fact, until });
    if (shown === undefined) continue;
    const { trace: _, ...region } = shown;
    return { status: 'different', regions: [{ when: null, ...region }], undecided: [], reason };
  }
  return { status: 'unknown', regions: [], undecided: [], reason };
}

/** A fact's results by both versions; undefined where they are the same. */
async function resultsOn(
  before: AnalysedModel,
  after: AnalysedModel,
  { fact, until }: { readonly fact: ValueObject; readonly until: Deadline },
): Promise<(Omit<ReportedRegion, 'when'> & { readonly trace: Trace }) | undefined> {
  if (before.program === null || after.program === null) return undefined;
  const [old, young] = [await resultOn(before.program, fact, until), await resultOn(after.program, fact, until)];
  if (old === undefined || young === undefined || stringify(old.result) === stringify(young.result)) return undefined;
  const [{ result: past }, { result, trace }] = [old, young];
  return { witness: { fact, input: fact, result }, before: past, after: result, trace };
}

/**
 * What callers get; undefined where that is not known: the run took too long, or failed in a function, which may call hosts
 * elsewhere.
 */
async function resultOn(program: Program, fact: ValueObject, until: Deadline): Promise<Shown | undefined> {
  const outcome = await outcomeOf(program, fact, until);
  const trace = outcome.trace ?? {};
  if (outcome.status === 'COMPLETED') return { result: outcome.result, trace };
  return outcome.error.code === 'timeout' || program.async ? undefined : { result: { error: outcome.message }, trace };
}

interface Shown {
  readonly result: Value;
  readonly trace: Trace;
}
