import { boundsOf, type Bounds } from './bounds.js';
import { capitalsIn } from './capitals.js';
import { restOf } from './lastRow.js';
import { habitsOf, isOfHours, type Habits } from './habits.js';
import { areChained } from './chains.js';
import { currenciesIn } from './currencies.js';
import { unitOfHeading, unitOfMember } from './headingUnit.js';
import { readPlain, type ValueKind } from './literals.js';
import { haveHundredfold } from './shares.js';
import { isKnownUnit, unitLabel } from './units.js';
import { besideIn, type Beside } from './wordRanges.js';

/** What the cells of a column are about; `list`: one of a list of texts. */
export type ColumnKind = ValueKind | 'list' | 'any';

export const columnKinds: readonly ColumnKind[] = [
  'number',
  'text',
  'date',
  'dateTime',
  'time',
  'boolean',
  'list',
  'any',
];

/** A column as far as its cells are read by it. */
export interface CellColumn {
  /** Whether cells test a field, else they are values. */
  readonly isTest: boolean;
  readonly kind: ColumnKind;
  /** Somebody has said the kind; else it is guessed of the cells. */
  readonly isStored: boolean;
  /** Of a list. */
  readonly values: readonly string[];
  /** There is reason to think that its author writes a decimal comma, so that `1.500` may be fifteen hundred. */
  readonly hasCommas: boolean;
  /** Numbers of it are in months here and in years there: nobody can take the unit away. */
  readonly hasUnits: boolean;
  /** Those that its amounts are in: where they are several, a number alone says less than its cell. */
  readonly currencies: readonly string[];
  /**
   * Its dates are first or last days by its name, or may be either by their order; its numbers are lowest or highest ones by its
   * name: how one alone may be meant.
   */
  readonly bounds: Bounds;
  /** The words that the last row asks alone, where they are unlike all others of the column: they may mean all that is left. */
  readonly rest: string | undefined;
  /** Some of its numbers have zeros before them, as codes have. */
  readonly hasCodes: boolean;
  /** All of its times have seconds. */
  readonly hasSeconds: boolean;
  /** Some of its cells compare, or are ranges. */
  readonly hasOrder: boolean;
  /** Its results are shares below 1, but for a few whose hundredth is one like the others. */
  readonly hasHundredfold: boolean;
  /** Its heading says that its numbers are of a hundred. */
  readonly isPercent: boolean;
  /** What its numbers are of, a unit or a currency: its heading says it, or its cells said it before they were numbers. */
  readonly unit: string | undefined;
  /** The one unit or currency that cells of it are written with, as people write it; `%` of shares. */
  readonly written: string | undefined;
  /** Its numbers were written in percent, and nobody has said that it has numbers of any size. */
  readonly isOfShares: boolean;
  /** The texts that its cells have, alone or in lists that are plain: between two of them a comma is one of a list. */
  readonly words: ReadonlySet<string>;
  /** How a text is written in most cells, by those that are written in other capitals. */
  readonly capitals: ReadonlyMap<string, string>;
  /** Where a cell may be a range of days, months or letters, what stands beside it. */
  readonly beside: Beside | undefined;
  /** Texts that somebody has said to stand among values of its kind. */
  readonly saidTexts: ReadonlySet<string>;
}

/** A column of a JDM document. */
type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Types of fields in JDM documents, and the kinds that they are here. */
const jdmTypes: ReadonlyMap<string, ColumnKind> = new Map(
  Object.entries({
    number: 'number',
    string: 'text',
    boolean: 'boolean',
    date: 'date',
  }),
);
const typeMembers = ['fieldType', 'outputFieldType'] as const;

/** The kind that a column of a JDM document says: its field's type, or else our own member. */
export function storedKind(item: Members): Pick<CellColumn, 'kind' | 'values'> | undefined {
  for (const member of typeMembers) {
    const type = item[member];
    if (!isMembers(type)) continue;
    const listed = isMembers(type['enum']) ? textsOf(type['enum']['values']) : [];
    const kind = jdmTypes.get(String(type['type']));
    if (kind !== undefined) return listed.length > 0 ? { kind: 'list', values: listed } : { kind, values: [] };
  }
  const kind = columnKinds.find((each) => each === item['_kind']);
  return kind === undefined ? undefined : { kind, values: kind === 'list' ? textsOf(item['_values']) : [] };
}

const textsOf = (list: unknown): readonly string[] =>
  (Array.isArray(list) ? (list as unknown[]) : []).flatMap((item) => {
    const value = isMembers(item) ? item['value'] : item;
    return typeof value === 'string' ? [value] : [];
  });

/** The column with another kind; with none it is guessed again. A field's type that says something else goes. */
export function withKind(item: Members, kind: ColumnKind | undefined, values: readonly string[] = []): Members {
  const ours: ReadonlySet<string> = new Set(['_kind', '_values', ...typeMembers]);
  const rest = Object.fromEntries(Object.entries(item).filter(([name]) => !ours.has(name)));
  const type = [...jdmTypes.keys()].find((each) => jdmTypes.get(each) === kind);
  const member = typeMembers.find((each) => isMembers(item[each]));
  if (member !== undefined && type !== undefined) return { ...rest, [member]: { type } };
  if (kind === undefined) return rest;
  return { ...rest, _kind: kind, ...(kind === 'list' ? { _values: values } : {}) };
}

/**
 * The column as one whose file has semicolons between its cells, as where decimals have a comma.
 * @param own of cells that had such commas and are written otherwise by now: what they told holds whatever the points are since
 */
export const withCommas = (item: Members, own = false): Members => ({ ...item, _commas: own ? 'own' : true });

/** The column once a person has said what its points are. */
export const withoutCommas = ({ _commas, ...rest }: Members): Members => rest;

/** The column once a person has said that these texts stand among values of its kind: `n/a` among amounts. */
export const withTexts = (item: Members, texts: readonly string[]): Members => ({
  ...item,
  _texts: [...new Set([...textsOf(item['_texts']), ...texts])],
});

/** The column as one whose numbers are of that unit or currency, or of these currencies, which its cells do not say any more. */
export const withUnit = (item: Members, unit: string): Members => ({ ...item, _unit: unit });

/** Most cells have to be of one kind, so that it is the column's. */
const share = 0.75;

/**
 * @param cells each text once or as often as it is there, the cells of the column in the model, in their order
 * @param alone the cell of the last row that asks nothing else
 */
export function columnOf(item: Members, isTest: boolean, cells: readonly string[], alone?: string): CellColumn {
  const counts = new Map<ValueKind, number>();
  const conditions = new Map<ValueKind, number>();
  let [words, codes, doubtful] = [0, 0, 0];
  const seen = new Map<string, Habits>();
  for (const source of cells) {
    const habits = seen.get(source) ?? habitsOf(source, isTest);
    seen.set(source, habits);
    if (habits.ordered !== undefined) conditions.set(habits.ordered, (conditions.get(habits.ordered) ?? 0) + 1);
    if (habits.isCode === true) codes++;
    if (habits.isDoubtful === true) doubtful++;
    if (habits.isName === true) words++;
    else if (habits.kind !== undefined) counts.set(habits.kind, (counts.get(habits.kind) ?? 0) + 1);
  }
  const [times, numbers] = [counts.get('time') ?? 0, counts.get('number') ?? 0];
  // One or two numbers that somebody writes among times are such, too, and all are beside one that goes on over midnight.
  const hasNights = [...seen.values()].some(({ isNight }) => isNight);
  const mayBeTimes = 0 < numbers && (numbers <= 2 * times || hasNights);
  if (mayBeTimes && cells.every((cell) => seen.get(cell)?.kind !== 'number' || isOfHours(cell, isTest)))
    counts.set('time', times + numbers).delete('number');
  const all = [...seen.values()];
  const has = (habit: 'isComma' | 'isPoint' | 'isIdle' | 'isLarge'): boolean =>
    all.some((each) => each[habit] === true);
  const stored = storedKind(item);
  const isStored = stored !== undefined;
  const units = all.flatMap((each) => each.units);
  const said = typeof item['_unit'] === 'string' ? item['_unit'] : '';
  const moneys = currenciesIn([...[...seen].flatMap(([cell, { isMoney }]) => (isMoney === true ? cell : [])), said]);
  const hasShares = said.includes('%') || [...seen].some(([cell, { kind }]) => kind === 'number' && isShare(cell));
  // Shares and amounts are no numbers of one column, either.
  const currencies = moneys.length > 0 && hasShares ? ['%', ...moneys] : moneys;
  const led = isStored ? undefined : leaderOf(counts, words, conditions);
  const isChained = isTest && !isStored && led === undefined && areChained(seen);
  const { kind, values } = stored ?? {
    kind:
      led ??
      (isChained ? 'number' : undefined) ??
      guessOf(counts, { words, doubtful, hasCodes: codes > 0 && conditions.size === 0 }),
    values: [],
  };
  return {
    isTest,
    kind,
    values,
    isStored,
    // Zeros that decimals need not are hardly decimals beside thousands that are written whole, whatever the points elsewhere.
    hasCommas:
      has('isComma') ||
      item['_commas'] === 'own' ||
      ((item['_commas'] === true || has('isIdle')) && !has('isPoint')) ||
      (has('isIdle') && has('isLarge')),
    hasUnits: new Set(units).size > 1 || (isChained && units.some((unit) => !isKnownUnit(unit))),
    currencies,
    bounds: isTest ? boundsOf(item, cells, { kind, isStored }) : [],
    hasCodes: isTest && all.some(({ isPadded }) => isPadded === true),
    hasSeconds:
      kind === 'time' && all.some(({ hasSeconds }) => hasSeconds) && !all.some((each) => each.hasSeconds === false),
    hasOrder: conditions.size > 0,
    hasHundredfold: !isTest && !isStored && kind === 'number' && haveHundredfold(cells),
    isPercent: typeof item['name'] === 'string' && percent.test(item['name']),
    unit: unitOfHeading(item['name']) ?? unitOfMember(item['_unit']),
    written: hasShares && moneys.length === 0 && units.length === 0 ? '%' : writtenIn([...units, ...moneys]),
    isOfShares: said === '%' && !isStored,
    words: isTest ? textsAlone([...seen.keys()]) : none,
    capitals: isTest && !isStored && kind === 'text' ? capitalsIn(cells) : new Map(),
    saidTexts: new Set(textsOf(item['_texts'])),
    beside: isTest ? besideIn([...seen.keys()]) : undefined,
    rest: isTest && alone !== undefined ? restOf(alone, cells) : undefined,
  };
}

const isShare = (cell: string): boolean => /\d ?%/.test(cell);

/** What people count in words that nobody knows here is not remembered: `5 pallets`. */
function writtenIn(found: readonly string[]): string | undefined {
  const [first, ...others] = new Set(found);
  const label = first === undefined || others.length > 0 ? undefined : unitLabel(first);
  return label !== undefined && unitOfMember(label) === first ? label : undefined;
}

const none: ReadonlySet<string> = new Set();

function textsAlone(cells: readonly string[]): ReadonlySet<string> {
  // Few columns have a cell that may be a list, and each of them is asked.
  if (!cells.some((cell) => cell.includes(','))) return none;
  return new Set(cells.flatMap((cell) => readPlain(cell.trim())?.texts ?? (cell.includes(',') ? [] : cell.trim())));
}

const percent = /%|per ?cent|pro[sz]ent|procent|pourcent|porcent|percentu/iu;

interface Guess {
  /** How many cells have words without quotes: beside numbers they may be names of fields. */
  readonly words: number;
  /** How many are words such as `NO`, which are no truths beside `FI` and `SE`. */
  readonly doubtful: number;
  /** Digits are texts in it, and nothing is compared by its order: its numbers are such codes, too. */
  readonly hasCodes: boolean;
}

function guessOf(counts: ReadonlyMap<ValueKind, number>, { words, doubtful, hasCodes }: Guess): ColumnKind {
  const of = (...kinds: readonly ValueKind[]): number => kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
  const known = words + [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isMost = (count: number): boolean => known > 0 && count >= share * known;
  for (const kind of ['number', 'boolean', 'date', 'time'] as const) if (isMost(of(kind))) return kind;
  if (isMost(of('date', 'dateTime'))) return 'dateTime';
  // Beside two days or times a number is none of them; nobody means both.
  const moment = (['date', 'time'] as const).find((kind) => of(kind) === 2);
  if (moment !== undefined && known === 3 && of('number') === 1) return moment;
  const texts = of('text', 'date', 'dateTime', 'time');
  if (hasCodes && isMost(texts + of('number') + words)) return 'text';
  return isMost(texts + (of('number', 'boolean') === doubtful ? words + doubtful : 0)) ? 'text' : 'any';
}

/** Two comparisons or ranges are no accident: words beside them are no texts, however small the table. So are two days beside one word. */
const fewestInOrder = 2;

function leaderOf(
  counts: ReadonlyMap<ValueKind, number>,
  words: number,
  conditions: ReadonlyMap<ValueKind, number>,
): ColumnKind | undefined {
  const others = words + (counts.get('text') ?? 0);
  const isAlone = (kind: ValueKind): boolean =>
    [...counts.keys()].every((each) => each === kind || each === 'text') && others > 0;
  return (['number', 'date', 'time'] as const).find((kind) => {
    if (!isAlone(kind)) return false;
    const inOrder = conditions.get(kind) ?? 0;
    if (inOrder >= fewestInOrder && inOrder >= others) return true;
    const count = counts.get(kind) ?? 0;
    return kind !== 'number' && others === words && count >= fewestInOrder && count >= 2 * words;
  });
}
