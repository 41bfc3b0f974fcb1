import { headingText, zenText } from '../../../workers/cells/index.js';
import { isObject, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { newId } from './ids.js';

/** A column as somebody has changed it. */
type ChangeColumn = (column: Fields) => Fields;

/** The list of a table that has this column, and the column's index there. */
export function columnPosition(
  content: Fields,
  index: number,
): { readonly list: 'inputs' | 'outputs'; readonly at: number } {
  const inputs = rowsOf(content, 'inputs').length;
  return index < inputs ? { list: 'inputs', at: index } : { list: 'outputs', at: index - inputs };
}

const withColumns = (content: Fields, list: 'inputs' | 'outputs', columns: readonly Fields[]): Fields => ({
  ...content,
  [list]: columns,
});

/** A column more; every row gets an empty cell of it, or, in an input of DMN, the dash that takes everything. */
export function withColumnInserted(
  content: Fields,
  list: 'inputs' | 'outputs',
  at: number,
  change: ChangeColumn,
): Fields {
  const empty = content['language'] === 'feel' && list === 'inputs' ? '-' : '';
  const id = newId();
  const columns = rowsOf(content, list);
  const next = withColumns(content, list, [...columns.slice(0, at), change({ id }), ...columns.slice(at)]);
  return { ...next, rules: rowsOf(content, 'rules').map((rule) => ({ ...rule, [id]: empty })) };
}

export function withColumnChanged(content: Fields, index: number, change: ChangeColumn): Fields {
  const { list, at } = columnPosition(content, index);
  return withColumns(
    content,
    list,
    rowsOf(content, list).map((column, index) => (index === at ? change(column) : column)),
  );
}

/** Without the columns from one to another, and without their cells. */
export function withoutColumn(content: Fields, first: number, last = first): Fields {
  const isLeft = (index: number): boolean => index < first || last < index;
  const [inputs, outputs] = [rowsOf(content, 'inputs'), rowsOf(content, 'outputs')];
  const removed = new Set([...inputs, ...outputs].flatMap(({ id }, at) => (isLeft(at) ? [] : [textOf(id)])));
  return {
    ...content,
    inputs: inputs.filter((_column, at) => isLeft(at)),
    outputs: outputs.filter((_column, at) => isLeft(at + inputs.length)),
    rules: rowsOf(content, 'rules').map((rule) =>
      Object.fromEntries(Object.entries(rule).filter(([id]) => !removed.has(id))),
    ),
  };
}

/** It changes places with the column beside it; the last input becomes the first output, and the other way round. */
export function withColumnMoved(content: Fields, index: number, by: -1 | 1): Fields {
  const { list, at } = columnPosition(content, index);
  const columns = [...rowsOf(content, list)];
  const [one, other] = [columns[at], columns[at + by]];
  if (!isObject(one)) return content;
  if (!isObject(other)) {
    if (list !== (by === 1 ? 'inputs' : 'outputs')) return content;
    const rest = withColumns(content, list, columns.toSpliced(at, 1));
    if (by === -1) return withColumns(rest, 'inputs', [...rowsOf(content, 'inputs'), one]);
    // A key that ZEN has no name for is read; what is written is a path.
    const [, key = ''] = /^\$root\["(.*)"\]$/.exec(textOf(one['field'])) ?? [];
    const output = key === '' ? one : { ...one, field: fieldFor(key, true) };
    return withColumns(rest, 'outputs', [output, ...rowsOf(content, 'outputs')]);
  }
  columns[at] = other;
  columns[at + by] = one;
  return withColumns(content, list, columns);
}

/** The field of a column that somebody has only named: `Credit score` is `creditScore`, `Größe` keeps its name. */
export function fieldFor(name: string, isOutput: boolean): string {
  const title = headingText(name);
  if (/^[A-Za-z_][\w.]*$/.test(title)) return title[0] === title[0]?.toUpperCase() ? lowered(title) : title;
  if (title === '') return '';
  const words = title.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const joined = words.map((word, at) => (at === 0 ? lowered(word) : raised(word))).join('');
  if (/^[A-Za-z_]\w*$/.test(joined)) return joined;
  // What is written is no expression; what is read may be a key that ZEN has no name for.
  return isOutput ? joined : `$root["${title.replaceAll('"', '')}"]`;
}

/** Words that are no names in ZEN. */
const keywords: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'true', 'false', 'null', 'as']);

/** The field of a column of a sheet, as an import of the same sheet names it: the heading as it stands, so that facts have its names. */
export function fieldOfHeading(title: string, isOutput: boolean): string {
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(title) && !keywords.has(title)) return title;
  return isOutput ? title.replaceAll('.', '') : keyed(title);
}

/** The field of a column that somebody adds to a table and has only named, written as those of the columns that are there. */
export function newField(content: Fields, name: string, isOutput: boolean): string {
  const asHeading = (list: 'inputs' | 'outputs'): number =>
    rowsOf(content, list).reduce((sum, column) => {
      const [title, field, isWritten] = [
        headingText(textOf(column['name'])),
        textOf(column['field']),
        list === 'outputs',
      ];
      const isAs = [fieldOfHeading, fieldFor].map((written) => field !== '' && field === written(title, isWritten));
      return sum + Number(isAs[0]) - Number(isAs[1]);
    }, 0);
  const [own, other] = (isOutput ? (['outputs', 'inputs'] as const) : (['inputs', 'outputs'] as const)).map(asHeading);
  const title = headingText(name);
  return title !== '' && (own || other || 0) > 0 ? fieldOfHeading(title, isOutput) : fieldFor(name, isOutput);
}

const keyed = (name: string): string => `$root[${zenText(name)}]`;

/** Words with blanks between them, or with letters that ZEN has no names of: they can be nothing but a name. */
const words = /^[\p{L}\p{N}_]+(?: +[\p{L}\p{N}_]+)*$/u;

/** A field as somebody has typed it, as one that is read: `Alter des Kunden` is `$root["Alter des Kunden"]`. */
export function fieldRead(typed: string): string {
  const field = typed.trim();
  const isName = /^[A-Za-z_]\w*$|^[\d_]+$/.test(field);
  const isZen = field.split(/ +/).some((word) => keywords.has(word));
  return words.test(field) && !isName && !isZen ? keyed(field) : field;
}

const lowered = (word: string): string =>
  word === word.toUpperCase() ? word.toLowerCase() : (word[0]?.toLowerCase() ?? '') + word.slice(1);

const raised = (word: string): string => (word[0]?.toUpperCase() ?? '') + word.slice(1).toLowerCase();
