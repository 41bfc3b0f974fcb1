import { shown } from '../../engine/index.js';
import { LongNumber, parseExactly } from '../../json/index.js';
import { compareModels } from '../compare/modelDifferences.js';
import { rowWords } from './conditions.js';
import type { ChangedCells, ChangesAnswer, ChangesTask } from './tasks.js';
import { testsInWords } from './testsInWords.js';
import { fields, list, nodesOf, readable, textIn, type Fields } from './traced.js';

/** Sentences of two models, and characters of all of them. */
const most = { sentences: 500, characters: 200_000 };

type Differences = ReturnType<typeof compareModels>;
type RowDifference = Differences['rows'][number];
type Told = ChangedCells & { readonly sentences: string[] };

/** What changes from one model to the other, by nodes. */
export function changesInWords({ from, to }: ChangesTask): ChangesAnswer {
  const [before, after] = [from, to].map((bytes) => parseExactly(new TextDecoder().decode(bytes)));
  const found = compareModels(before, after);
  const nodes = new Map([...nodesOf(before), ...nodesOf(after)]);
  const told = new Map<string, Told>();
  let left = 0;
  let [room, characters] = [most.sentences, 0];
  const tell = (node: string, sentence: string, row?: RowDifference): void => {
    const name = readable(node);
    const about = told.get(name) ?? { sentences: [], cells: 0 };
    told.set(name, about);
    if (row !== undefined) count(about, row);
    if (room === 0 || characters > most.characters) {
      left++;
      return;
    }
    room--;
    const said = readable(sentence);
    characters += said.length;
    about.sentences.push(said);
  };
  const nameOf = (id: string | null): string => textIn(nodes.get(id ?? '')?.['name']) || (id ?? '');

  for (const row of found.rows)
    tell(row.nodeName ?? nameOf(row.nodeId), rowSentence(row, fields(nodes.get(row.nodeId)?.['content'])), row);
  for (const node of found.nodes)
    for (const sentence of nodeSentences(node)) tell(node.name ?? nameOf(node.id), sentence);
  for (const { change, source, target } of found.edges)
    if (change !== 'moved') tell(nameOf(source), `the way to ${nameOf(target)} was ${change}`);
  const { fields: ofModel = [] } = found;
  for (const field of ofModel) if (!isOfTests(field)) tell('The model', fieldSentence(field));
  if (ofModel.some(isOfTests)) for (const sentence of testsInWords(before, after)) tell('The model', sentence);
  return { changes: Array.from(told, ([node, about]) => ({ node, ...about })), left };
}

const isOfTests = ({ pointer }: { readonly pointer: string }): boolean => /^\/tests(\/|$)/.test(pointer);

/** A row that came or went is one change, however many cells it has; an empty cell is none. */
function count(told: ChangedCells, { change, cells }: RowDifference): void {
  if (change === 'added' || change === 'removed') told[change] = (told[change] ?? 0) + 1;
  else
    told.cells += cells.filter(
      ({ column, before, after }) => column !== '_id' && (isFilled(before) || isFilled(after)),
    ).length;
}

const isFilled = (cell: unknown): boolean => cell !== undefined && cell !== '';

/** As people count rows. */
const numberOf = (index: number | null): string => `row ${(index ?? 0) + 1}`;

function rowSentence({ change, moved, position, cells }: RowDifference, content: Fields): string {
  const columns = new Map(
    [...list(content['inputs']), ...list(content['outputs'])].map((one) => [String(one['id']), one]),
  );
  const nameOf = (id: string): string => {
    const { name, field } = columns.get(id) ?? {};
    return id === '_description' ? 'Note' : textIn(name) || textIn(field) || id;
  };
  const filled = cells.filter(({ column }) => column !== '_id');
  const words = rowWords(content, position.to);
  const about = (...parts: readonly string[]): string => {
    const told = parts.filter((part) => part !== '');
    return told.length === 0 ? '' : ` (${told.join('; ')})`;
  };
  switch (change) {
    case 'moved':
      return `${numberOf(position.from)}${about(words)} is ${numberOf(position.to)} now`;
    case 'changed':
      return `${numberOf(position.to)}${about(words, moved === true ? `${numberOf(position.from)} before` : '')}: ${filled
        .map(({ column, before, after }) => `${nameOf(column)} ${cell(before)} → ${cell(after)}`)
        .join(', ')}`;
    default: {
      const values = filled.map(
        ({ column, before, after }) => `${nameOf(column)} ${cell(change === 'added' ? after : before)}`,
      );
      return `${numberOf(change === 'added' ? position.to : position.from)} was ${change}: ${values.join(', ')}`;
    }
  }
}

/** Cells are as they are typed. */
const cell = (value: unknown): string => textIn(value) || 'empty';

function nodeSentences({ change, type, fields: changed }: Differences['nodes'][number]): string[] {
  switch (change) {
    case 'moved':
      return [];
    case 'changed':
      return changed.map(fieldSentence);
    default:
      return [`was ${change}${type === null ? '' : ` (${type})`}`];
  }
}

function fieldSentence({ pointer, before, after }: { pointer: string; before?: unknown; after?: unknown }): string {
  const place = pointer.replace(/^\/content\//, '').replaceAll('/', ' ') || 'all of it';
  if (before === undefined) return `${place} was added: ${value(after)}`;
  if (after === undefined) return `${place} was removed: ${value(before)}`;
  return `${place}: ${value(before)} → ${value(after)}`;
}

const value = (json: unknown): string => (json instanceof LongNumber ? json.text : shown(json));
