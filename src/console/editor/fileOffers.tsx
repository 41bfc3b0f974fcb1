import { useState } from 'preact/hooks';
import {
  emptyName,
  rangeName,
  readEmptyName,
  readRangeName,
  type EmptyAs,
  type MatrixNames,
  type NamedRange,
} from '../../../workers/cells/sheets.js';
import type { Fault, FilePart } from '../api/types.js';
import { Button } from '../parts/small.js';
import { AskedName, Question } from './question.js';

/** Tells that a sheet may be read otherwise, and what has it read so: two columns as one, a matrix as a table, or empty cells as those above. */
export const isOffer = ({ severity, nodeId, pointer }: Fault): boolean =>
  severity === 'warning' && nodeId === null && pointer === '';

/** Tells that it is guessed which columns are results: it stands above all that depends on them. */
export const isGuess = (fault: Fault): boolean => isOffer(fault) && fault.repair?.startsWith('outputs=') === true;

/** Tells that the sheet may be a matrix: what it may be has three names. */
const isMatrix = (fault: Fault): boolean =>
  isOffer(fault) && !isGuess(fault) && /^[^,[=]*,[^,]*,[^,]*$/.test(fault.repair ?? '');

const matrixOf = (names: MatrixNames): FilePart => ({
  matrix: names.map((name) => name.replaceAll(',', ' ')).join(),
});

interface FileOffersProps {
  /** What names the first column of a sheet that somebody may call a matrix; null where it can be none. */
  readonly corner: string | null;
  readonly faults: readonly Fault[];
  /** Reads the file so. */
  readonly onPart: (part: FilePart) => void;
}

/** What a file may be, each as a question. */
export const FileOffers = ({ corner, faults, onPart }: FileOffersProps) => (
  <>
    {faults
      .filter((fault) => isOffer(fault) && !isGuess(fault))
      .map(({ field, repair = '', readings = [repair] }) => {
        if (/^[A-Z]+:[A-Z]+$/.test(readings[0] ?? ''))
          return (
            <BesideQuestion
              key={field}
              tables={readings.map((columns) => columns.replace(':', ' to '))}
              onTable={(at) => onPart({ columns: readings[at] })}
            />
          );
        const empty = readEmptyName(readings[0] ?? '');
        if (empty !== undefined) {
          const { name } = empty;
          return <EmptyQuestion key={field} name={name} onEmpty={(as) => onPart({ empty: emptyName({ name, as }) })} />;
        }
        const ranges = readings.flatMap((text) => readRangeName(text) ?? []);
        return ranges.length > 0 ? (
          <RangeQuestion key={field} ranges={ranges} onRange={(range) => onPart({ range: rangeName(range) })} />
        ) : (
          <MatrixQuestion key={field} names={repair.split(',')} onNames={(names) => onPart(matrixOf(names))} />
        );
      })}
    {corner !== null && !faults.some(isMatrix) && (
      <OwnMatrix corner={corner} onNames={(names) => onPart(matrixOf(names))} />
    )}
  </>
);

interface BesideQuestionProps {
  /** The columns of each table, the first of which is read, and then of all of them as one: `A to E`. */
  readonly tables: readonly string[];
  readonly onTable: (at: number) => void;
}

/** Which of tables beside one another is read. */
export const BesideQuestion = ({ tables: [first = '', ...others], onTable }: BesideQuestionProps) => (
  <Question
    title="Another table stands beside this one"
    about={`Columns ${first} are read, and nothing of the others, so that two tables are not mixed.`}
    answers={Object.fromEntries(
      others.map((columns, at) => [
        at === others.length - 1 ? `Read all as one table, ${columns}` : `Read columns ${columns}`,
        () => onTable(at + 1),
      ]),
    )}
  />
);

interface EmptyQuestionProps {
  /** The column's. */
  readonly name: string;
  readonly onEmpty: (as: EmptyAs) => void;
}

/** Whether a column whose value stands in the first row of each block has it in the rows below. */
export const EmptyQuestion = ({ name, onEmpty }: EmptyQuestionProps) => (
  <Question
    title={`${name}: empty below a value is the same as above, or any?`}
    about="Read as any, an empty cell takes every value, and the rows of the first block answer for those of the others."
    answers={{ 'The same as above': () => onEmpty('above'), 'Any value': () => onEmpty('any') }}
  />
);

/** What the rows tell of the number where a range ends. */
const why = {
  ')': 'Rows begin where others end: the end of a range is not within it.',
  ']': 'Rows begin after others end: the end of a range is within it.',
} as const;

interface RangeQuestionProps {
  /** All that the two columns may be as one. */
  readonly ranges: readonly NamedRange[];
  readonly onRange: (range: NamedRange) => void;
}

/** Whether two columns are one input, and whether its ranges have their ends. */
export function RangeQuestion({ ranges, onRange }: RangeQuestionProps) {
  const [first] = ranges;
  const [name, setName] = useState(first?.name ?? '');
  if (first === undefined) return null;
  const { from, to, end } = first;
  const told = ranges.length > 1 ? 'The rows do not tell whether the end of a range is within it.' : why[end];
  const answers = ranges.map(
    (range) =>
      [
        `One input, ${to} ${range.end === ']' ? '' : 'not '}included`,
        () => onRange({ ...range, name: name.trim() }),
      ] as const,
  );
  return (
    <Question
      title={`${from} and ${to}: one input with a range?`}
      about={`As two inputs, a request has to have both. ${told}`}
      answers={Object.fromEntries(answers)}
      isOff={name.trim() === ''}
    >
      <AskedName name="Name of the input" value={name} onChange={setName} />
    </Question>
  );
}

interface OwnMatrixProps {
  /** What names the first column. */
  readonly corner: string;
  readonly onNames: (names: MatrixNames) => void;
}

/** By which somebody says himself that a sheet is a matrix, where nothing tells it. */
export function OwnMatrix({ corner, onNames }: OwnMatrixProps) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <MatrixQuestion names={[corner, '', '']} onNames={onNames} />
  ) : (
    <div class="actions">
      <Button name="It is a matrix" onClick={() => setOpen(true)} />
    </div>
  );
}

const labels = ['What stands down the first column', 'What stands along the first row', 'What stands in the cells'];

interface MatrixQuestionProps {
  /** As far as the sheet says them. */
  readonly names: readonly string[];
  readonly onNames: (names: MatrixNames) => void;
}

/** What the bands and the cells of a matrix are, so that it becomes a table. */
export function MatrixQuestion({ names, onNames }: MatrixQuestionProps) {
  const [written, setWritten] = useState(names);
  const [down = '', across = '', value = ''] = written.map((name) => name.trim());
  return (
    <Question
      title="A matrix: a row for each of its cells?"
      about="The table would ask for what stands down and along it, and give what stands in the cell. A cell that is empty is no row."
      answers={{ 'Make a table of it': () => onNames([down, across, value]) }}
      isOff={[down, across, value].includes('')}
    >
      {labels.map((name, at) => (
        <AskedName
          key={name}
          name={name}
          value={written[at] ?? ''}
          onChange={(next) => setWritten(labels.map((_label, each) => (each === at ? next : (written[each] ?? ''))))}
        />
      ))}
    </Question>
  );
}
