import { stringify, type Program, type Trace, type Value, type ValueObject } from '../engine/index.js';
import { parseModel } from '../engine/jdm/model.js';
import { isRecord } from '../engine/jdm/reader.js';
import type { Table } from '../engine/nodes/table/content.js';
import type { Deadline } from './deadline.js';
import { BudgetExceeded } from './budget.js';
import type { Box } from './cover.js';
import { describeRegion, pointIn } from './findings.js';
import type { ModelChange, ReportedRegion } from './report.js';
import type { Explored } from './search.js';
import { tablesOf, type TableNode } from './tableNodes.js';
import { tableChange, type TableChange } from './tableChange.js';
import { factOf, outcomeOf } from './witness.js';

/** One version of a model. */
export interface Version {
  readonly document: unknown;
  /** Compiled with all that it reaches; null where it does not compile. */
  readonly program: Program | null;
  /** All that it reaches, as text that is the same for the same programs. */
  readonly linked: string;
}

/** Regions that are told; a change of more than that is a different model. */
const mostRegions = 100;
const comparisons = 10_000_000;

/**
 * Where two versions give different results. Equal is proved: all nodes are the same, or tables that take every input alike.
 */
export async function modelChange(before: Version, after: Version, facts: Facts): Promise<CheckedChange> {
  const change = await changeBetween(before, after, facts);
  if (change.status !== 'equal') return { change, unconfirmed: 0 };
  const seen = await sampled(before, after, facts, null);
  return seen.status === 'different' ? { change: seen, unconfirmed: 1 } : { change, unconfirmed: 0 };
}

interface CheckedChange {
  readonly change: ModelChange;
  /** How often the engine contradicted what was proved. */
  readonly unconfirmed: number;
}

async function changeBetween(before: Version, after: Version, facts: Facts): Promise<ModelChange> {
  const { until } = facts;
  if (before.linked !== after.linked) return sampled(before, after, facts, 'a decision that they call is another one');
  const pairs = changedTables(before.document, after.document);
  if (pairs === undefined) return sampled(before, after, facts, 'they differ in more than rows and columns of tables');
  const changes: { readonly node: TableNode; readonly change: TableChange }[] = [];
  const isAlwaysObject = [before, after].every(({ document }) => givesObjectsAlone(document));
  for (const [old, young] of pairs) {
    const mayBeNoObject = !isAlwaysObject || [old, young].some(({ content }) => selects(content));
    const change = changeOf(old, young, { mayBeNoObject, until });
    const reason = typeof change === 'string' ? change : change.reason;
    if (typeof change === 'string' || reason !== null)
      return sampled(before, after, facts, `in the table “${young.name}” ${reason ?? ''}`);
    if (change.regions.length > 0) changes.push({ node: old, change });
  }
  if (changes.length === 0) return { status: 'equal', regions: [], undecided: [], reason: null };
  const regions: ReportedRegion[] = [];
  const undecided: string[] = [];
  for (const { node, change } of changes) {
    for (const { box } of change.regions) {
      const isTold = regions.length < mostRegions;
      const region = isTold ? await regionOf(before, after, { nodeId: node.id, change, box, facts }) : undefined;
      if (region === undefined) undecided.push(describeRegion(change.boxes, box));
      else regions.push(region);
    }
  }
  if (regions.length > 0) return { status: 'different', regions, undecided, reason: null };
  return { ...(await sampled(before, after, facts, null)), undecided };
}

interface Facts {
  /** Facts of both versions. */
  readonly explored: readonly Explored[];
  /** After which the rest is unknown. */
  readonly until: Deadline;
}

/** The tables that differ, where nothing else does; undefined where something else does. */
function changedTables(before: unknown, after: unknown): (readonly [TableNode, TableNode])[] | undefined {
  if (skeleton(before) !== skeleton(after)) return undefined;
  const young = new Map(tablesOf(after).map((node) => [node.id, node]));
  return tablesOf(before).flatMap((old) => {
    const node = young.get(old.id);
    return node === undefined || JSON.stringify(old.content) === JSON.stringify(node.content)
      ? []
      : [[old, node] as const];
  });
}

/** What a model does beside the columns and rows of its tables. */
function skeleton(document: unknown): string {
  const { nodes = [], edges = [] } = isRecord(document) ? document : {};
  const bare = (Array.isArray(nodes) ? nodes : []).map((node: unknown) => {
    const { position: _, content, ...rest } = isRecord(node) ? node : {};
    if (rest['type'] !== 'decisionTableNode' || !isRecord(content)) return { ...rest, content };
    const { rules: __, inputs: ___, outputs: ____, ...around } = content;
    return { ...rest, content: around };
  });
  return JSON.stringify({ nodes: bare, edges });
}

/** Why, where tables cannot be compared. */
function changeOf(
  { table: before }: TableNode,
  { table: after }: TableNode,
  { mayBeNoObject, until }: { readonly mayBeNoObject: boolean; readonly until: Deadline },
): TableChange | string {
  if ([before, after].some(collects)) return 'all rows that match are collected';
  try {
    return tableChange(before, after, { budget: { comparisons, until }, mayBeNoObject });
  } catch (error) {
    if (error instanceof BudgetExceeded) return 'the rows divide the inputs into too many parts';
    throw error;
  }
}

interface Sought {
  readonly nodeId: string;
  readonly change: TableChange;
  readonly box: Box;
  readonly facts: Facts;
}

/** A region with a fact that shows it; undefined where none was found. */
async function regionOf(
  before: Version,
  after: Version,
  { nodeId, change: { boxes }, box, facts: { explored, until } }: Sought,
): Promise<ReportedRegion | undefined> {
  const made = factOf(boxes.dimensions, pointIn(boxes, box));
  const isWithin = (trace: Trace = {}): boolean => {
    const input = Object.hasOwn(trace, nodeId) ? trace[nodeId]?.input : undefined;
    return input !== undefined && boxes.dimensions.every((each, index) => each.isIn(input, box[index] ?? []));
  };
  const found = explored.filter(({ trace }) => isWithin(trace)).map(({ fact }) => fact);
  for (const fact of [...(made === undefined ? [] : [made]), ...found]) {
    const shown = await resultsOn(before, after, { fact, until });
    if (shown === undefined || !isWithin(shown.trace)) continue;
    const { trace: _, ...region } = shown;
    return { when: describeRegion(boxes, box), ...region };
  }
  return undefined;
}

const collects = ({ collect, outputs }: Table): boolean => collect || outputs.some((output) => output.collect);

/** Whether a node reads a part of its input, which may be anything. */
const selects = ({ inputField, executionMode }: TableNode['content']): boolean =>
  executionMode === 'loop' || (typeof inputField === 'string' && inputField.trim() !== '');

const givingObjects = new Set(['inputNode', 'outputNode', 'expressionNode', 'decisionTableNode', 'switchNode']);

/** Whether every node of a model is given an object, or null. */
const givesObjectsAlone = (document: unknown): boolean =>
  parseModel(document).nodes.every(({ type }) => givingObjects.has(type)) &&
  tablesOf(document).every(({ table, content }) => !collects(table) && !selects(content));

/** Facts that give different results, where not all of the change can be compared. @param reason why not */
async function sampled(
  before: Version,
  after: Version,
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
  before: Version,
  after: Version,
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
