import { randomUUID } from 'node:crypto';
import { setKey } from '../../json/index.js';
import type { Row } from '../files/grid.js';
import { maybeThousands, meantCondition, meantSource } from '../meant.js';
import type { Header } from './header.js';
import { descriptionHead, isShown, shownCell, type Json } from './tableOfModel.js';

interface RuleContext {
  readonly header: Header;
  /** Ids of the table's columns. */
  readonly columns: readonly string[];
  /** Columns of the sheet that hold codes. */
  readonly codes: ReadonlySet<number>;
  /** Those of numbers and codes, of which a person is asked. */
  readonly mixed: ReadonlySet<number>;
  readonly onto: Json | undefined;
  /** The cells as the table's column says the same, which may not be meant where that row has something else. */
  readonly shown: Row;
  readonly key: string | undefined;
  /** Gets the ids of columns whose numbers may be thousands; undefined where those of the file are none. */
  readonly see: Set<string> | undefined;
}

/** A row of the table as the sheet has it. Cells that show what is there already stay as they are. */
export function ruleOf(cells: Row, { header, columns, codes, mixed, onto, shown, key, see }: RuleContext): Json {
  const rule: Record<string, unknown> = { ...(onto ?? newRule(columns, key)) };
  for (const id of header.removed) Reflect.deleteProperty(rule, id);
  for (const { id, at, kind } of header.columns) {
    if (columns.includes(id) && !isShown(shownCell(rule[id]), shown[at])) {
      if (see !== undefined && maybeThousands(cells[at] ?? '')) see.add(id);
      const meant = kind === 'input' ? meantCondition : meantSource;
      setKey(rule, id, mixed.has(at) ? (cells[at] ?? '') : meant(cells[at] ?? '', codes.has(at)));
    } else if (!(id in rule) && onto === undefined) setKey(rule, id, '');
  }
  if (header.descriptions !== undefined) {
    const text = cells[header.descriptions];
    if (!isShown(shownCell(rule[descriptionHead]), text)) setKey(rule, descriptionHead, text ?? '');
  }
  return rule;
}

const newRule = (columns: readonly string[], key: string | undefined): Json =>
  Object.fromEntries([
    // A position is no id of its own.
    ['_id', key === undefined || key.startsWith('#') ? randomUUID() : key],
    ...columns.map((id): [string, unknown] => [id, '']),
  ]);
