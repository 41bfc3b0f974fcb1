import { rowWords } from '../../../workers/models/narrate/conditions.js';
import type { Analysis, Model, ModelNode } from '../api/types.js';
import { fieldPath, membersOf, rowNumbers, rowsOf, ruleIdOf, textOf, valueAt, type Fields } from '../graph/fields.js';

type Change = NonNullable<Analysis['change']>;
type Region = Change['regions'][number];

/** Places at which the same rows matched before, and the same ones match now. */
export interface ChangedPlaces {
  /** `row 4`, `no row`; empty of a single fact, of which rows are not told. */
  readonly row: string;
  /** Which row matched there before, where that is another one. */
  readonly instead: string;
  /** What the row asks for. */
  readonly conditions: string;
  /** The one with the fewest words first. */
  readonly places: readonly Region[];
}

interface Versions {
  readonly before: Model;
  readonly after: Model;
  /** How a place is written. */
  readonly inWords: (when: string) => string;
}

/** The places at which results differ, by the rows that they are of: one for each pair of rows, however many parts its places have. */
export function changedPlaces(
  { regions, rows }: Pick<Change, 'regions' | 'rows'>,
  versions: Versions,
): ChangedPlaces[] {
  const { before, after, inWords } = versions;
  const nodeIds = new Set(rows.map(({ nodeId }) => nodeId));
  const lengthOf = ({ when }: Region): number => inWords(when ?? '').length;
  const told = rows.map(({ nodeId, before: old, after: young, regions: places }): ChangedPlaces => {
    const [was, is] = [nodeIn(before, nodeId), nodeIn(after, nodeId)];
    const name = nodeIds.size > 1 ? `${is?.name ?? nodeId}, ` : '';
    const isSame = old.length === young.length && old.every((id, at) => id === young[at]);
    return {
      row: name + numbersOf(is, young),
      instead: isSame ? '' : numbersOf(was, old),
      conditions: young.length === 1 ? conditionsIn(is, young[0] ?? '') : '',
      places: places.flatMap((at) => regions[at] ?? []).sort((one, other) => lengthOf(one) - lengthOf(other)),
    };
  });
  const known = new Set(rows.flatMap((each) => each.regions));
  const single = regions.filter((_, at) => !known.has(at));
  return [...told, ...single.map((region) => ({ row: '', instead: '', conditions: '', places: [region] }))];
}

const nodeIn = (model: Model, nodeId: string): ModelNode | undefined => model.nodes.find(({ id }) => id === nodeId);

const rowOf = (node: ModelNode | undefined, id: string): number =>
  rowsOf(node?.content, 'rules').findIndex((rule, index) => ruleIdOf(rule, index) === id);

function numbersOf(node: ModelNode | undefined, ids: readonly string[]): string {
  if (ids.length === 0) return 'no row';
  const numbers = ids.map((id) => rowOf(node, id) + 1).sort((one, other) => one - other);
  return `${ids.length === 1 ? 'row' : 'rows'} ${rowNumbers(numbers)}`;
}

function conditionsIn(node: ModelNode | undefined, id: string): string {
  const row = rowOf(node, id);
  return rowWords(membersOf(node?.content), row < 0 ? null : row);
}

/** Whether the fact of a place has a fraction, or a time, where its author has said that whole numbers, or days, come alone. */
export const isOfFraction = ({ witness }: Region, inputs: readonly Fields[]): boolean =>
  inputs.some((column) => {
    if (column['_whole'] !== true && column['_kind'] !== 'date') return false;
    const value = valueAt(witness.fact, fieldPath(textOf(column['field']), false));
    return typeof value === 'string'
      ? /^\d{4}-\d\d-\d\dT/.test(value)
      : Number.isFinite(Number(value)) && Number(value) % 1 !== 0;
  });
