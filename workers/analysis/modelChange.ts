import { stringify, type Program, type Trace, type Value, type ValueObject } from '../engine/index.js';
import type { Deadline } from './deadline.js';
import type { Box } from './boxes.js';
import { describeRegion, pointIn } from './shownRegion.js';
import { laidOver } from './search.js';
import { tellingFact } from './telling.js';
import type { AnalysedModel, ChangedTable, CheckedChange, Facts } from './model.js';
import type { ChangedRows, ModelChange, ReportedRegion } from './report.js';
import { callsIn, factOf, outcomeOf, writesOf } from './witness.js';
import { withMoments } from './withMoments.js';

/** Regions that are told; a change of more than that is a different model. */
const mostRegions = 100;

/** Facts of one region that are tried. */
const mostFacts = 20;
/** Of those, of which others are made that show more. */
const mostTelling = 4;

/** A region of a table that takes its inputs otherwise, and facts that lead there. */
interface Region {
  readonly table: ChangedTable;
  readonly box: Box;
  /** Ids of the rows that each version takes there. */
  readonly taken: Pick<ChangedRows, 'before' | 'after'>;
  readonly facts: ValueObject[];
}

/**
 * Where two versions give different results. Equal is proved: all nodes are the same, or tables that take every input alike.
 */
export class VersionChange {
  readonly #before: AnalysedModel;
  readonly #after: AnalysedModel;
  readonly #reason: string | null;
  readonly #regions: readonly Region[];

  constructor(before: AnalysedModel, after: AnalysedModel, until: Deadline) {
    const isLinked = before.linked === after.linked;
    const { tables, reason } = isLinked
      ? before.changes(after, until)
      : { tables: [], reason: 'a decision that they call is another one' };
    this.#before = before;
    this.#after = after;
    this.#reason = reason;
    this.#regions = tables.flatMap((table) =>
      table.change.regions.map(({ box, before: old, after: young }) => {
        const idsOf = (side: 0 | 1, rows: readonly number[]): string[] =>
          rows.map((row) => table.ruleIds[side][row] ?? String(row));
        return { table, box, taken: { before: idsOf(0, old), after: idsOf(1, young) }, facts: [] };
      }),
    );
  }

  /** Is told of each run of the newer version. */
  look(fact: ValueObject, trace: Trace): void {
    for (const region of this.#regions.slice(0, mostRegions))
      if (region.facts.length < mostFacts && liesIn(trace, region)) region.facts.push(fact);
  }

  async report(facts: Facts): Promise<CheckedChange> {
    const change = await this.#report(facts);
    if (change.status !== 'equal') return { change, unconfirmed: 0 };
    const seen = await sampled(this.#before, this.#after, facts, null);
    return seen.status === 'different' ? { change: seen, unconfirmed: 1 } : { change, unconfirmed: 0 };
  }

  async #report({ explored, fields, until }: Facts): Promise<ModelChange> {
    const reason = this.#reason;
    if (this.#regions.length === 0 && reason === null)
      return { status: 'equal', regions: [], rows: [], undecided: [], reason };
    const regions: ReportedRegion[] = [];
    const told: Region[] = [];
    const undecided: string[] = [];
    for (const region of this.#regions) {
      const isTold = regions.length < mostRegions;
      const shown = isTold ? await this.#shown(region, { explored, fields, until }) : undefined;
      if (shown === undefined) undecided.push(describeRegion(region.table.change.boxes, region.box));
      else {
        regions.push(shown);
        told.push(region);
      }
    }
    const rows = rowsOf(told);
    if (regions.length > 0 && reason === null) return { status: 'different', regions, rows, undecided, reason };
    // A fact that lies in none of them shows the rest of the change.
    const others = explored.filter(
      ({ trace }) => regions.length === 0 || !this.#regions.some((each) => liesIn(trace, each)),
    );
    const rest = await sampled(this.#before, this.#after, { explored: others, fields, until }, reason);
    const status = regions.length > 0 ? 'different' : rest.status;
    return { status, regions: [...regions, ...rest.regions], rows, undecided, reason };
  }

  /** A region with a fact that shows it; undefined where none was found. */
  async #shown(region: Region, { explored, fields, until }: Facts): Promise<ReportedRegion | undefined> {
    const { boxes } = region.table.change;
    const point = pointIn(boxes, region.box);
    const writes = writesOf(boxes.dimensions, point);
    // Of a fact that lacks other inputs most results are null.
    const others = explored.slice(0, mostFacts).map(({ fact }) => laidOver(fact, writes));
    const facts = [factOf(boxes.dimensions, point) ?? {}, ...others, ...region.facts].map(this.#after.factFrom);
    const telling = facts.slice(0, mostTelling).flatMap((fact): ValueObject[] => {
      const other = tellingFact(fact, writes);
      return other === undefined ? [] : [other];
    });
    const shownBy = async (fact: ValueObject): ReturnType<typeof resultsOn> => {
      const shown = await resultsOn(this.#before, this.#after, { fact, until });
      return shown !== undefined && liesIn(shown.trace, region) ? shown : undefined;
    };
    for (const fact of [...telling, ...facts]) {
      const shown = await shownBy(fact);
      if (shown === undefined) continue;
      const { trace: _, ...results } = await withMoments(fact, fields, shown, shownBy);
      return { when: describeRegion(boxes, region.box), ...results };
    }
    return undefined;
  }
}

/** The regions of the same rows together, in the order in which they are told. */
function rowsOf(regions: readonly Region[]): ChangedRows[] {
  const groups = new Map<string, ChangedRows & { readonly regions: number[] }>();
  for (const [at, { table, taken }] of regions.entries()) {
    const key = JSON.stringify([table.nodeId, taken]);
    const group = groups.get(key) ?? { nodeId: table.nodeId, ...taken, regions: [] };
    group.regions.push(at);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Whether a run came to a table with an input in a region of it. */
const liesIn = (trace: Trace, { table: { nodeId, change }, box }: Region): boolean =>
  callsIn(trace, nodeId).some(({ input }) =>
    change.boxes.dimensions.every((each, at) => each.isIn(input, box[at] ?? [])),
  );

/** Facts that give different results, where not all of the change can be compared. @param reason why not */
async function sampled(
  before: AnalysedModel,
  after: AnalysedModel,
  { explored, fields, until }: Facts,
  reason: string | null,
): Promise<ModelChange> {
  const shownBy = async (fact: ValueObject): ReturnType<typeof resultsOn> => resultsOn(before, after, { fact, until });
  for (const { fact } of explored) {
    const shown = await shownBy(fact);
    if (shown === undefined) continue;
    const { trace: _, ...region } = await withMoments(fact, fields, shown, shownBy);
    return { status: 'different', regions: [{ when: null, ...region }], rows: [], undecided: [], reason };
  }
  return { status: 'unknown', regions: [], rows: [], undecided: [], reason };
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
