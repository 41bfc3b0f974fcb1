import { useState } from 'preact/hooks';
import { readRangeName } from '../../../workers/cells/sheets.js';
import type { FilePart } from '../api/types.js';
import { fileFaults, titleRow } from '../editor/fileFaults.js';
import { isGuess } from '../editor/fileOffers.js';
import { FileFindings } from '../editor/fileFindings.js';
import { partWith, type FileModel, type Sheet } from '../editor/fileModel.js';
import { membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { Choice, Tick, type Options } from '../parts/entries.js';
import { count } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';

/** Which columns are to be what; one of notes is neither. */
export type Sides = Pick<Sheet, 'inputs' | 'outputs'>;

const mostRows = 8;

interface SheetPreviewProps {
  readonly sheet: Sheet;
  /** It is read anew: what is wrong with it is not known till then. */
  readonly isBusy: boolean;
  readonly onSides: (sides: Sides) => void;
  readonly onChange: (found: FileModel) => void;
  /** How it was read. */
  readonly part: FilePart;
  /** @param sides null where they are guessed anew */
  readonly onPart: (part: FilePart, sides: Sides | null) => void;
}

/** What would be kept of a spreadsheet: its first rows, a box for each column that is an input, and what is wrong with it. */
export const SheetPreview = ({ sheet, isBusy, onSides, onChange, part, onPart }: SheetPreviewProps) => (
  <>
    {titleRow(sheet.faults) === null && <Columns {...{ sheet, onSides }} />}
    {!isBusy && (
      <FileFindings
        found={sheet}
        corner={cornerOf(sheet)}
        onChange={onChange}
        onPart={(said) => onPart(partWith(part, said), sidesWith(sheet, said))}
      />
    )}
  </>
);

/** The name of the first column, where the sheet may be called a matrix: each of its rows has something else there. */
function cornerOf({ content, inputs, outputs, note }: Sheet): string | null {
  const table = membersOf(content.nodes.find(({ type }) => type === 'decisionTableNode')?.content);
  const id = textOf(rowsOf(table, 'inputs')[0]?.['id']);
  const cells = rowsOf(table, 'rules').map((rule) => textOf(rule[id]));
  const isSide = cells.length > 1 && !cells.includes('') && new Set(cells).size === cells.length;
  return isSide && note === null && inputs.length + outputs.length > 2 ? (inputs[0] ?? null) : null;
}

/** The columns as they are, where two of them become one input, or cells of one are filled. */
function sidesWith({ inputs, outputs }: Sheet, { range = '', empty }: FilePart): Sides | null {
  if (empty !== undefined) return { inputs, outputs };
  const { name, from, to } = readRangeName(range) ?? {};
  if (name === undefined) return null;
  const [asked, given] = [inputs, outputs].map((names) => names.filter((each) => each !== from && each !== to));
  const at = inputs.findIndex((each) => each === from || each === to);
  return given?.length === 0
    ? null
    : { inputs: (asked ?? []).toSpliced(at < 0 ? inputs.length : at, 0, name), outputs: given ?? [] };
}

type Side = 'inputs' | 'outputs' | 'note';

const sideNames: Options<Side> = [
  ['note', 'the note of each row'],
  ['inputs', 'an input'],
  ['outputs', 'an output'],
];

function Columns({ sheet, onSides }: Pick<SheetPreviewProps, 'sheet' | 'onSides'>) {
  const { inputs, outputs, note } = sheet;
  // They stay where they are, and as they were ticked, while the file is read anew for them.
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(
    new Map([
      ...inputs.map((name) => [name, 'inputs'] as const),
      ...outputs.map((name) => [name, 'outputs'] as const),
      ...(note === null ? [] : [[note, 'note'] as const]),
    ]),
  );
  const [notes] = useState(note);
  const table = membersOf(sheet.content.nodes.find(({ type }) => type === 'decisionTableNode')?.content);
  const made = [...rowsOf(table, 'inputs'), ...rowsOf(table, 'outputs')].map(({ id }) => textOf(id));
  const ids = new Map([...inputs, ...outputs].map((name, at) => [name, made[at] ?? '']));
  if (note !== null) ids.set(note, '_description');
  const rules = rowsOf(table, 'rules');
  const guesses = fileFaults(sheet.faults.filter(isGuess).map((fault) => ({ ...fault, hint: null })));
  const put = (name: string, side: Side): void => {
    const next = new Map(sides).set(name, side);
    setSides(next);
    const of = (wanted: Side): string[] => [...next].flatMap(([each, own]) => (own === wanted ? [each] : []));
    onSides({ inputs: of('inputs'), outputs: of('outputs') });
  };
  const columns = [...sides].map(([name, side]): Column<Fields> => [
    name,
    (rule) => {
      const text = textOf(rule[ids.get(name) ?? '']);
      return text === '' && side === 'inputs' ? <span class="soft">any</span> : <code>{text}</code>;
    },
    side === 'inputs' ? undefined : 'out',
    name === notes ? (
      <Choice key={name} isInline name={name} value={side} options={sideNames} onChange={(next) => put(name, next)} />
    ) : (
      <Tick
        key={name}
        name={name}
        checked={side === 'inputs'}
        onChange={(isInput) => put(name, isInput ? 'inputs' : 'outputs')}
      />
    ),
  ]);
  return (
    <fieldset class="choices">
      <legend>Input columns; the others are outputs{notes !== null && ', or notes'}</legend>
      {guesses.map(({ text }) => (
        <p key={text} class="warn">
          {text} Tick what is an input, before you answer what is asked below.
        </p>
      ))}
      <Table label="First rows" columns={columns} rows={rules.slice(0, mostRows)} />
      <p class="soft small">
        {count(rules.length, 'row')}
        {rules.length > mostRows && `, of which these are the first ${mostRows}`}.
      </p>
    </fieldset>
  );
}
