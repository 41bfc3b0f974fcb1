import { formatJson, isRecord } from '../../json/index.js';
import { piecesOf, type Grid, type Row } from '../files/grid.js';
import { columnsOf, digestOf, keysOf, rulesOf, settingsOf, shownRow, type Json } from './tableOfModel.js';

/** The table that a file was made of, as its hidden sheet tells it: what was there before a person changed the file. */
export interface Base {
  readonly decisionId: string;
  readonly nodeId: string;
  /** JSON. */
  readonly settings: string;
  /** What each row held, by its key, in their order. */
  readonly rows: ReadonlyMap<string, string>;
}

const format = '1';

/** The rows of the hidden sheet. */
export function writeBase(content: Json, { decisionId, nodeId }: Pick<Base, 'decisionId' | 'nodeId'>): Row[] {
  const rules = rulesOf(content);
  const keys = keysOf(rules);
  const columns = columnsOf(content);
  const settings = formatJson(settingsOf(content));
  return [
    ['verdict table', `v${format}`],
    ['decision', decisionId],
    ['node', nodeId],
    // Each piece begins with a mark, so that spreadsheet programs take none of them for a number.
    ['settings', ...piecesOf(settings).map((piece) => `|${piece}`)],
    ...rules.map((rule, index) => ['row', keys[index], digestOf(shownRow(rule, columns))]),
  ];
}

/** Undefined where the file has no such sheet, or one that is not ours. */
export function readBase(sheet: Grid | undefined): Base | undefined {
  const rows = sheet?.rows ?? [];
  const [first] = rows;
  if (first?.[0] !== 'verdict table' || first[1] !== `v${format}`) return undefined;
  const lineOf = (name: string): Row => rows.find(([head]) => head === name) ?? [];
  const settings = lineOf('settings')
    .slice(1)
    .map((piece) => piece?.slice(1) ?? '')
    .join('');
  if (!isSettings(settings)) return undefined;
  return {
    decisionId: lineOf('decision')[1] ?? '',
    nodeId: lineOf('node')[1] ?? '',
    settings,
    rows: new Map(rows.filter(([head]) => head === 'row').map(([, key = '', digest = '']) => [key, digest])),
  };
}

function isSettings(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
