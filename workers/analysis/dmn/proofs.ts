import type { DmnProgramParts } from '../../engine/dmn/program.js';
import type { Node } from '../../engine/dmn/graph.js';
import { readAs } from '../../engine/dmn/values.js';
import { bare, Run, type FeelType } from '../../engine/feel/index.js';
import type { Program, Value, ValueObject } from '../../engine/index.js';
import { isObject } from '../../engine/zen/values/kinds.js';
import { setAt, setKey } from '../../engine/zen/values/objects.js';
import type { Deadline } from '../deadline.js';
import type { Dimension } from '../dimension.js';
import { newRun } from '../evaluate.js';
import { isWithin } from '../ranges.js';
import { fieldIn, jointBoxes, type TableBoxes, type TableSource } from '../tableBoxes.js';
import {
  membership,
  mostFacts,
  notInFacts,
  outcomesOf,
  points,
  tooMany,
  type Asked,
  type FactUse,
  type Trials,
} from '../trials.js';
import { areApart, isSamePath } from '../paths.js';
import { fieldName } from './fields.js';
import type { FeelTable } from './feelTable.js';
import { asksForTime, spokenOf, type Spoken } from './spoken.js';
import { plainTerms } from './terms.js';

/** A document whose properties are asked. */
interface ProvableDmn {
  readonly xml: string;
  readonly program: Program & { readonly parts: DmnProgramParts };
  readonly hasImports: boolean;
  /** Of decisions that are one decision table. */
  readonly tables: ReadonlyMap<Node, FeelTable>;
}

/**
 * A fact of each kind that a document and a property tell apart. Decisions that read input data are tables that compare it
 * with constants and give constants; all others read decisions alone, so that what they give follows, whatever they are.
 * Only what the property speaks of, and what that requires, has to be so.
 */
export function trialsOf(
  { xml, program, hasImports, tables }: ProvableDmn,
  { fact: asked, result }: Asked,
  until: Deadline,
): Trials {
  if (hasImports) return 'the document imports others';
  const spoken = spokenOf(program.parts, result);
  const asking = asksForTime(xml, spoken.nodes);
  if (asking !== undefined) return `${asking} asks for the time`;
  const read: FeelTable[] = [];
  for (const node of spoken.decisions) {
    if (!node.requires.some(({ part }) => part.kind === 'input')) continue;
    const table = tables.get(node);
    const reason = table === undefined ? 'reads input data, and is not one decision table' : whyNotPlain(table, until);
    if (table === undefined || reason !== undefined) return `“${node.part.name}” ${reason}`;
    read.push(table);
  }
  const fields = new Fields(read, spoken, asked, until);
  return fields.reason ?? { program, facts: fields.facts(), select: spoken.select };
}

/** Why a table does more than compare fields with constants and give constants, after its name. */
function whyNotPlain(table: FeelTable, until: Deadline): string | undefined {
  if (!table.hasConstants) return 'has outputs that are computed';
  const [boxes] = jointBoxes([table], until);
  const { dimensions = [], rows = [] } = boxes ?? {};
  const computed = dimensions.find(({ path }) => path === null);
  if (computed !== undefined) return `has an input that is computed: ${computed.name}`;
  const inexact = rows.find(({ isExact }) => !isExact);
  return inexact && `has a rule that cannot be followed: ${inexact.reason ?? `its number is ${inexact.index + 1}`}`;
}

/** A value of a field, or a list of that alone, which counts as the value where one of another type is declared. */
interface Variant {
  readonly atom: number;
  readonly isListed: boolean;
}

/** What else may be about the input that fields are members of. */
type Mode = 'plain' | 'listed' | { readonly spoiledAt: readonly string[]; readonly by: Value };

/** Fields of facts, and the values of each that are told apart. */
class Fields {
  readonly reason: string | undefined;
  readonly #tables: readonly FeelTable[];
  readonly #inputs: ReadonlyMap<string, Node>;
  readonly #run = new Run(newRun());
  readonly #asked: readonly FactUse[];
  readonly #boxes: readonly TableBoxes[];
  /** Fields of the fact; those of decisions follow from them. */
  #dimensions: readonly Dimension[] = [];
  #variants: readonly (readonly Variant[])[] = [];
  #roots: readonly string[] = [];
  #modes: readonly (readonly Mode[])[] = [];

  constructor(
    tables: readonly FeelTable[],
    { inputs, decisions }: Pick<Spoken, 'inputs' | 'decisions'>,
    asked: readonly FactUse[],
    until: Deadline,
  ) {
    this.#tables = tables;
    this.#asked = asked;
    this.#inputs = new Map(inputs.map((node) => [node.part.variable, node]));
    this.#boxes = jointBoxes([...tables, askedSource(asked)], until);
    const ofDecisions = new Set(decisions.map(({ part }) => part.variable));
    this.reason = this.#namesReason(inputs) ?? this.#read(ofDecisions);
  }

  *facts(): Iterable<ValueObject> {
    for (const point of points(this.#variants))
      for (const modes of points(this.#modes)) yield* this.#fact(point, modes);
  }

  #namesReason(inputs: readonly Node[]): string | undefined {
    if (this.#inputs.size < inputs.length) return 'several inputs have one name';
    const other = inputs.find(({ part }) => part.name !== part.variable);
    return other && `the input “${other.part.name}” is called “${other.part.variable}” in expressions`;
  }

  #read(ofDecisions: ReadonlySet<string>): string | undefined {
    const indexes: number[] = [];
    const all = this.#boxes[0]?.dimensions ?? [];
    for (const [index, dimension] of all.entries()) {
      const { name, path } = dimension;
      const [root = ''] = path ?? [];
      if (ofDecisions.has(root)) {
        if (this.#usesOf(path).length > 0) return `“${name}” is a decision, and no member of the fact`;
        continue;
      }
      const reason = this.#whyUnknown(dimension, root);
      if (reason !== undefined) return reason;
      indexes.push(index);
    }
    const dimensions = indexes.flatMap((index) => all[index] ?? []);
    const allPaths = dimensions.map(({ path }) => path);
    if (!areApart(allPaths)) return 'a field is a part of another';
    const paths: readonly (readonly string[])[] = allPaths;
    if (!this.#asked.every((use) => paths.some((path) => isSamePath(use.path, path))))
      return 'two fields have names that are the same in FEEL';
    this.#dimensions = dimensions;
    this.#variants = indexes.map((index) => this.#variantsOf(all[index] as Dimension, index));
    this.#roots = [...new Set(paths.flatMap(([root = '', ...members]) => (members.length > 0 ? [root] : [])))];
    this.#modes = this.#roots.map((root) => this.#modesOf(root));
    const count = [...this.#variants, ...this.#modes].reduce((product, { length }) => product * length, 1);
    return count > mostFacts ? tooMany : undefined;
  }

  /** Why the values of a field cannot be told apart. */
  #whyUnknown({ name, path }: Dimension, root: string): string | undefined {
    const reading = this.#tables.filter(({ fields }) => fields.has(name));
    const terms = new Set(reading.map(({ fields }) => fields.get(name)));
    const [only] = terms;
    if (reading.length === 0) return undefined;
    if (terms.size > 1 || only === undefined) return `the values of “${name}” have no order`;
    if (!this.#inputs.has(root)) return `it is not known what “${name}” is`;
    if (this.#usesOf(path).length > 0 && only !== plainTerms)
      return `it compares “${name}”, which is no number, text or truth value`;
    return reading.every(({ typed }) => typed.has(name)) ? undefined : `no type is declared for “${name}”`;
  }

  #usesOf(path: readonly string[] | null): readonly FactUse[] {
    return this.#asked.filter((use) => path !== null && isSamePath(use.path, path));
  }

  /** Whether an input is not of its type with this value in it, so that all of it counts as null. */
  #spoils(path: readonly string[], value: Value): boolean {
    const fact: ValueObject = {};
    setAt(fact, path, value);
    const [root = ''] = path;
    const input = this.#inputs.get(root);
    return input !== undefined && readAs(fact[root], input.type, this.#run) === undefined;
  }

  /** One value of each class that rules and comparisons tell apart. */
  #variantsOf(dimension: Dimension, index: number): Variant[] {
    const { path, atoms } = dimension;
    const uses = this.#usesOf(path);
    const ofModel = this.#seenByModel(dimension, index);
    const outcomes = outcomesOf(uses, dimension);
    const found = new Map<string, Variant>();
    const add = (key: string, variant: Variant): void => {
      if (!found.has(key)) found.set(key, variant);
    };
    for (const [atom, { kind }] of atoms.entries()) {
      if (notInFacts.has(kind)) continue;
      add(`${ofModel[atom]} / ${outcomes[atom]}`, { atom, isListed: false });
      if (uses.length > 0 && kind !== 'null') add(`[${ofModel[atom]}]`, { atom, isListed: true });
    }
    return [...found.values()];
  }

  /** What the tables make of each atom, as a text that is the same where they make the same of it. */
  #seenByModel(dimension: Dimension, index: number): string[] {
    const { path, atoms } = dimension;
    const members = membership(
      this.#boxes.map(({ rows }) => rows),
      index,
      atoms.length,
    );
    const takers = this.#tables.filter(({ fields }) => fields.has(dimension.name));
    const taken = takers.map((table) => table.possibleOf(dimension));
    const seen = (atom: number): string =>
      taken.every((set) => isWithin([atom, atom], set)) ? (members[atom] ?? '') : `refused ${atom}`;
    const ofNull = seen(atoms.findIndex(({ kind }) => kind === 'null'));
    return atoms.map((_, atom) => {
      const value = dimension.factValueOf(atom);
      if (value === null || path === null || !this.#spoils(path, value)) return seen(atom);
      return path.length === 1 ? ofNull : 'spoils';
    });
  }

  /** An input that is a context may be the only item of a list, or be spoiled by a member that nothing reads. */
  #modesOf(root: string): Mode[] {
    if (!this.#asked.some(({ path }) => path[0] === root)) return ['plain'];
    const input = this.#inputs.get(root);
    const spoiler = input && this.#spoilerOf([root], input.type);
    return ['plain', 'listed', ...(spoiler === undefined ? [] : [spoiler])];
  }

  #spoilerOf(path: readonly string[], type: FeelType, level = 0): Mode | undefined {
    const base = bare(type);
    const isRead = this.#dimensions.some(
      (each) => each.path !== null && isSamePath(each.path.slice(0, path.length), path),
    );
    if (!isRead) {
      for (const by of [{}, [], 'other', 1]) if (this.#spoils(path, by)) return { spoiledAt: path, by };
      return undefined;
    }
    if (base.kind !== 'context' || level > deepest) return undefined;
    for (const [name, member] of base.members) {
      const found = this.#spoilerOf([...path, name], member, level + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  *#fact(point: readonly Variant[], modes: readonly Mode[]): Iterable<ValueObject> {
    const fact: ValueObject = {};
    for (const [at, { atom, isListed }] of point.entries()) {
      const dimension = this.#dimensions[at];
      const value = dimension?.factValueOf(atom) ?? null;
      if (dimension?.path && value !== null) setAt(fact, dimension.path, isListed ? [value] : value);
    }
    for (const [at, mode] of modes.entries()) {
      const root = this.#roots[at] ?? '';
      const value = fact[root];
      if (mode === 'plain') continue;
      if (mode !== 'listed') setAt(fact, mode.spoiledAt, mode.by);
      else if (isObject(value ?? null)) setKey(fact, root, [value ?? null]);
    }
    yield fact;
  }
}

/** Levels of a type whose members are looked at. */
const deepest = 8;

/** The property's fields and constants, as if they were a table's without rows. */
const askedSource = (asked: readonly FactUse[]): TableSource => ({
  columns: (space) => {
    for (const { path, constants } of asked) {
      const field = fieldIn(space, fieldName(path), path);
      for (const constant of constants) field.constants.add(constant);
    }
    return [];
  },
  rows: [],
  reasonOf: () => undefined,
});
