import { columnOf, withCommas } from '../../cells/index.js';
import type { Grid } from '../files/grid.js';
import { isNumberCell, likeThousands, sureNumber } from '../files/numberCells.js';
import { maybeThousands } from '../meant.js';
import type { MergedRow } from './mergeRows.js';
import { columnsOf, settingsWithItems, shownCell, type Json } from './tableOfModel.js';

interface Brought {
  readonly settings: Json;
  readonly rules: readonly Json[];
}

interface Origin {
  /** Each with the rule that came of it, in their order. */
  readonly rows: readonly MergedRow[];
  /** The rules of the table by their keys, before. */
  readonly present: ReadonlyMap<string, Json>;
  /** Where each column stands in the sheet, by its id. */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * A table in which numbers of the file stand as nobody doubts them, where texts of their column give a reason to: `1.1050`. A cell
 * of a model keeps no kind, and an answer about the texts `1.250` and `11,20` is none about the number 1.105.
 */
export function withSureNumbers(sheet: Grid, { settings, rules }: Brought, { rows, present, places }: Origin): Brought {
  const next = [...rules];
  const asked = new Set<string>();
  for (const { id, kind, item } of columnsOf(settings)) {
    const at = places.get(id) ?? -1;
    if (sheet.numbers?.has(at) !== true) continue;
    const texts = rules.map((rule) => shownCell(rule[id]) ?? '');
    if (!columnOf(item, kind === 'input', texts).hasCommas) continue;
    const found = new Set(
      rows.flatMap((row, index) => {
        const isNew = row.from === 'file' && shownCell(present.get(row.onto ?? '')?.[id]) !== texts[index];
        return isNew && isNumberCell(sheet, row.file.at, at) && likeThousands.test(texts[index] ?? '') ? [index] : [];
      }),
    );
    for (const index of found) next[index] = { ...next[index], [id]: sureNumber(texts[index] ?? '') };
    // The decimals of these numbers say nothing of the points in the texts.
    if (found.size > 0 && texts.some((text, index) => !found.has(index) && maybeThousands(text))) asked.add(id);
  }
  return { settings: settingsWithItems(settings, asked, (item) => withCommas(item, true)), rules: next };
}
