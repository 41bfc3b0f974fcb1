import { EngineError, type Program, type Value } from '../engine/index.js';
import { parseModel } from '../engine/jdm/model.js';
import { isRecord } from '../engine/jdm/reader.js';
import type { Deadline } from './deadline.js';
import { BudgetExceeded } from './budget.js';
import type { AtomKind } from './atoms.js';
import type { Dimension } from './dimension.js';
import type { AnalysedModel } from './model.js';
import { constantOf } from './constants.js';
import { expressionOn } from './evaluate.js';
import { pathName } from './paths.js';
import { usesOf, type Use } from './uses.js';
import { resultValue, witnessOf, type CheckedProperty } from './properties.js';
import type { ReportedProperty } from './report.js';
import { boxesOf, zenTable, type TableBoxes } from './table.js';
import { tablesOf, type TableNode } from './tableNodes.js';
import { factOf, outcomeOf } from './witness.js';

/** Facts that one property is tried on. */
const mostFacts = 50_000;

/**
 * Tries a property on a fact of each kind that the model and the property tell apart. They are all there are where the model
 * is one table that takes the first matching row, its cells compare fields with constants, its results are constants, and
 * the property compares fields with constants too.
 */
export async function prove(
  property: CheckedProperty,
  { document, program }: Pick<AnalysedModel, 'document' | 'program'>,
  until: Deadline,
): Promise<ReportedProperty> {
  const unknown: ReportedProperty = { name: property.name, status: 'unknown', witness: null };
  const node = lonelyTable(document);
  const uses = usesOf(property.tree, property.source);
  if (node === undefined || program === null || uses === undefined) return unknown;
  try {
    const classes = classesOf(node, uses, until);
    return classes === undefined ? unknown : await tryAll(property, { program, classes, until, unknown });
  } catch (error) {
    if (error instanceof BudgetExceeded || error instanceof EngineError) return unknown;
    throw error;
  }
}

/** The table of a model that is nothing but that table; undefined for any other model. */
function lonelyTable(document: unknown): TableNode | undefined {
  const { nodes, edges } = parseModel(document);
  const [input, table, output] = ['inputNode', 'decisionTableNode', 'outputNode'].map((wanted) =>
    nodes.findIndex(({ type }) => type === wanted),
  ) as [number, number, number];
  const isLine = (source: number, target: number): boolean =>
    edges.some((edge) => edge.source === source && edge.target === target);
  const hasOutput = output >= 0;
  if (nodes.length !== (hasOutput ? 3 : 2) || edges.length !== nodes.length - 1) return undefined;
  if (!isLine(input, table) || (hasOutput && !isLine(table, output))) return undefined;
  const [node] = tablesOf(document);
  return node !== undefined && isPlain(node) && !hasSchema(document) ? node : undefined;
}

function isPlain({ content, table }: TableNode): boolean {
  const { inputField, outputPath, executionMode, passThrough } = content;
  const isIdle =
    [inputField, outputPath].every((text) => text === undefined || text === null || text === '') &&
    executionMode !== 'loop' &&
    passThrough !== true;
  const isConstant = table.rules.every((rule) =>
    table.outputs.every(({ id }) => (rule.get(id) ?? '') === '' || constantOf(rule.get(id) ?? '') !== undefined),
  );
  return isIdle && isConstant && !table.collect && table.outputs.every(({ collect }) => !collect);
}

/** A schema tells more facts apart than the table does. */
const hasSchema = (document: unknown): boolean =>
  isRecord(document) &&
  Array.isArray(document['nodes']) &&
  document['nodes'].some((node: unknown) => {
    const content = isRecord(node) ? node['content'] : undefined;
    return isRecord(content) && content['schema'] !== undefined && content['schema'] !== null;
  });

/** Of each field, a value of each kind that is told apart. */
interface Classes {
  readonly dimensions: readonly Dimension[];
  /** Atoms, one of each class. */
  readonly atoms: readonly (readonly number[])[];
}

/** Undefined where facts may be told apart by anything else. */
function classesOf({ table }: TableNode, uses: readonly Use[], until: Deadline): Classes | undefined {
  const facts: (Use & { readonly path: readonly string[] })[] = [];
  for (const use of uses) {
    const [root, ...path] = use.subject ?? [];
    if (root === 'fact' && path.length > 0) facts.push({ ...use, path });
    else if (root !== 'result') return undefined;
  }
  const boxes = boxesOf(zenTable(table), until, { fields: facts });
  const { dimensions, rows } = boxes;
  const paths = dimensions.map(({ path }) => path);
  if (!rows.every(({ isExact }) => isExact) || !areApart(paths)) return undefined;
  const atoms = dimensions.map((dimension, index) => {
    const asked = facts.filter(({ path }) => pathName(path) === dimension.name);
    return distinctAtoms(boxes, { dimension, index, asked });
  });
  return atoms.reduce((product, { length }) => product * length, 1) > mostFacts ? undefined : { dimensions, atoms };
}

/** No field is computed, and none is part of another. */
const areApart = (paths: readonly (readonly string[] | null)[]): paths is readonly (readonly string[])[] =>
  paths.every(
    (path, index) =>
      path !== null &&
      paths.every(
        (other, at) =>
          at === index || other === null || other.length < path.length || !path.every((key, i) => key === other[i]),
      ),
  );

const notInFacts: ReadonlySet<AtomKind> = new Set<AtomKind>(['failed', 'date', 'invalidDate']);

interface AskedDimension {
  readonly dimension: Dimension;
  readonly index: number;
  readonly asked: readonly Use[];
}

/** One atom of each class that rows and comparisons tell apart. */
function distinctAtoms({ rows }: TableBoxes, { dimension, index, asked }: AskedDimension): number[] {
  const sets = [...new Set(rows.map(({ may }) => may[index] ?? []))];
  const signatures: string[][] = dimension.atoms.map(() => []);
  sets.forEach((set, id) => {
    for (let i = 0; i < set.length; i += 2)
      for (let atom = set[i] ?? 0; atom <= (set[i + 1] ?? -1); atom++) signatures[atom]?.push(`${id}`);
  });
  for (const { subject, text } of asked) {
    const valueOf = expressionOn(text, subject ?? []);
    dimension.atoms.forEach(({ kind, value }, atom) => {
      const outcome = valueOf(value);
      signatures[atom]?.push(typeof outcome === 'boolean' ? `${outcome}` : outcome === undefined ? 'failed' : kind);
    });
  }
  const first = new Map<string, number>();
  signatures.forEach((signature, atom) => {
    // Facts have texts for dates, as there is no schema.
    if (notInFacts.has(dimension.atoms[atom]?.kind ?? 'failed')) return;
    const key = signature.join(' ');
    if (!first.has(key)) first.set(key, atom);
  });
  return [...first.values()];
}

interface Trial {
  readonly program: Program;
  readonly classes: Classes;
  readonly until: Deadline;
  readonly unknown: ReportedProperty;
}

async function tryAll(
  property: CheckedProperty,
  { program, classes: { dimensions, atoms }, until, unknown }: Trial,
): Promise<ReportedProperty> {
  for (const point of points(atoms)) {
    const fact: Value | undefined = factOf(dimensions, point);
    if (fact === undefined || until.isOver()) return unknown;
    const outcome = await outcomeOf(program, fact, until);
    if (outcome.status === 'FAILED') return unknown;
    const result = resultValue(outcome.result);
    if (!property.holds(fact, result))
      return { name: property.name, status: 'refuted', witness: witnessOf(fact, result) };
  }
  return { name: property.name, status: 'proved', witness: null };
}

/** All combinations of one member of each list. */
function* points(lists: readonly (readonly number[])[], from = 0): Iterable<number[]> {
  const list = lists[from];
  if (list === undefined) {
    yield [];
    return;
  }
  for (const member of list) for (const rest of points(lists, from + 1)) yield [member, ...rest];
}
