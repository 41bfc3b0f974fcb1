import { Few } from '../parts/table.js';
import { useMemo } from 'preact/hooks';
import type { Fault, FilePart, Model } from '../api/types.js';
import { movedFaults } from '../model/movedFaults.js';
import { isUnread, severityWord } from '../parts/faultWords.js';
import { membersOf, rowNumbers, rowsOf, stepsOf } from '../graph/fields.js';
import { count } from '../parts/small.js';
import { FileOffers, isOffer } from './fileOffers.js';
import { fileFaults, isOtherSheet, titleRow } from './fileFaults.js';
import type { FileModel } from './fileModel.js';
import { RepairList } from './repairList.js';
import { otherFaults } from './otherFaults.js';
import { cellsIn, repairGroups } from './repairs.js';
import { withContent } from './modelEdits.js';
import { Question } from './question.js';
import { withoutRows } from './rowEdits.js';
import { sheetOf } from './sheet.js';

interface FileFindingsProps {
  readonly found: FileModel;
  readonly onChange: (found: FileModel) => void;
  /** Reads the file anew: another sheet, with another row for its names, or in another form. */
  readonly onPart: (part: FilePart) => void;
  /** What names the first column, where the sheet may be called a matrix. */
  readonly corner?: string | null;
}

/** What is told of a file before anything of it is kept: what can be put right, cell by cell, and what else is wrong with it. */
export function FileFindings({ found: { content, faults }, onChange, onPart, corner = null }: FileFindingsProps) {
  const groups = useMemo(() => repairGroups(content, faults), [content, faults]);
  const strange = useMemo(() => strangeRows(faults, content), [faults, content]);
  const others = useMemo(
    () => fileFaults(otherFaults(content, faults, groups).filter((fault) => !isAsked(fault))),
    [content, faults, groups],
  );
  const cells = cellsIn(groups);
  const edit = (change: (model: Model) => Model, left = faults): void => {
    const next = change(content);
    onChange({ content: next, faults: movedFaults(left, content, next) });
  };
  const start = titleRow(faults);
  const nameless = faults.filter(isUnread);
  const names = faults.filter(isOtherSheet).map(({ field }) => field ?? '');
  const sheets = names.length > 0 && (
    <Question
      title="The file has other sheets"
      answers={Object.fromEntries(names.map((sheet) => [`Read ${sheet}`, () => onPart({ sheet })]))}
    />
  );
  const offers = <FileOffers {...{ corner, faults, onPart }} />;
  if (start !== null) {
    return (
      <section class="stack repairs" aria-label="Found in the file">
        {offers}
        <NamesQuestion start={start} about={fileFaults(nameless)[0]?.text} onRow={(header) => onPart({ header })} />
        {sheets}
      </section>
    );
  }
  return (
    <section class="stack repairs" aria-label="Found in the file">
      {sheets}
      {offers}
      <Few of={others} most={20} as="p">
        {({ severity, place, text, excerpt }) => (
          <div key={`${place} ${text}`} class={`fault ${severity}`}>
            <b>{severityWord(severity)}</b> {place}: {excerpt !== null && <code>{excerpt}</code>} {text}
          </div>
        )}
      </Few>
      {cells > 0 && (
        <p class="warn">
          {cells === 1
            ? '1 cell is written otherwise than it is'
            : `${cells} cells are written otherwise than they are`}{' '}
          read here. Nothing is changed but what you repair; the rest is offered again where the table is edited.
        </p>
      )}
      {nameless.length > 0 && content.document === undefined && (
        <Question
          title="Columns without a name: leave them out?"
          answers={{
            [`Leave ${count(nameless.length, 'column')} out`]: () =>
              onChange({ content, faults: faults.filter((fault) => !isUnread(fault)) }),
          }}
        />
      )}
      {strange.map((of) => (
        <Question
          key={of.title}
          title={of.title}
          about={fileFaults(of.rows.slice(0, mostTold))
            .map(({ text }) => text)
            .join(' ')}
          answers={{
            [`Leave ${of.name} out`]: () =>
              edit((model) => withoutFileRows(model, of.rows), withoutFaultsOf(faults, of.rows)),
          }}
        />
      ))}
      <RepairList groups={groups} onEdit={edit} />
    </section>
  );
}

interface NamesQuestionProps {
  /** A row of the file, or two. */
  readonly start: string;
  readonly about: string | undefined;
  readonly onRow: (header: string) => void;
}

/** Which row of a file names its columns, or whether two do together. */
function NamesQuestion({ start, about, onRow }: NamesQuestionProps) {
  const [first = '', last] = start.split('-');
  if (last === undefined)
    return (
      <Question
        title={`Row ${start} names the columns: start there?`}
        about={about}
        answers={{ [`Start at row ${start}`]: () => onRow(start) }}
      />
    );
  return (
    <Question
      title={`Rows ${first} and ${last} name the columns together: join them?`}
      about={about}
      answers={{ [`Join rows ${first} and ${last}`]: () => onRow(start), [`Row ${first} alone`]: () => onRow(first) }}
    />
  );
}

/** What is told as a question. */
const isAsked = (fault: Fault): boolean => isOfRow(fault) || isOtherSheet(fault) || isOffer(fault);

/** A row of the file that is hardly one of the table. */
const isOfRow = ({ nodeId, pointer }: Fault): boolean => nodeId === null && /\/rules\/\d+$/.test(pointer ?? '');

/** More of what stands below a table nobody reads. */
const mostTold = 3;

/** Units or hints in the first row, headings between the rows, and what stands below the table: each is one question. */
function strangeRows(faults: readonly Fault[], { nodes }: Model) {
  const rows = faults.filter(isOfRow);
  const [, node = ''] = stepsOf(rows[0]?.pointer ?? '');
  const rules = rowsOf(membersOf(nodes[Number(node)]?.content), 'rules');
  const placeOf = ({ pointer }: Fault): number => Number(/\d+$/.exec(pointer ?? '')?.[0]);
  const told = new Set(rows.map(placeOf));
  const last = rules.findLastIndex((_rule, at) => !told.has(at));
  // A heading says one thing, once or in each column that it is merged over; units are several.
  const textsIn = (at: number): number =>
    new Set(Object.entries(rules[at] ?? {}).flatMap(([id, cell]) => (id.startsWith('_') || cell === '' ? [] : [cell])))
      .size;
  const isFirst = (fault: Fault): boolean => placeOf(fault) === 0 && textsIn(0) > 1;
  const isBetween = (fault: Fault): boolean => !isFirst(fault) && placeOf(fault) < last;
  const asked = (what: string, own: readonly Fault[]) => {
    const name = `row${own.length > 1 ? 's' : ''} ${rowNumbers(own.map(rowIn))}`;
    return { name, title: `${what} in ${name}: leave ${own.length > 1 ? 'them' : 'it'} out?`, rows: own };
  };
  return [
    asked('Units or hints', rows.filter(isFirst)),
    asked('Headings', rows.filter(isBetween)),
    asked(
      'Words below the table',
      rows.filter((fault) => !isFirst(fault) && !isBetween(fault)),
    ),
  ].filter(({ rows: own }) => own.length > 0);
}

/** The row of the file whose cell a fault names; 0 where it names none. */
const rowIn = ({ field }: Fault): number => Number(/![A-Z]+(\d+)(?=[,:]|$)/.exec(field ?? '')?.[1] ?? 0);

/** Of a row that is left out nothing is told any more, such as a formula without a value in it. */
function withoutFaultsOf(faults: readonly Fault[], rows: readonly Fault[]): readonly Fault[] {
  const left = new Set(rows.map(rowIn));
  return faults.filter((fault) => fault.nodeId !== null || rows.includes(fault) || !left.has(rowIn(fault)));
}

function withoutFileRows(model: Model, faults: readonly Fault[]): Model {
  const places = faults.map(({ pointer }) => stepsOf(pointer ?? ''));
  const node = model.nodes[Number(places[0]?.[1])];
  const sheet = node && sheetOf(node);
  if (node === undefined || sheet === undefined) return model;
  return withContent(model, node.id, withoutRows(sheet, new Set(places.map(([, , , , row]) => Number(row)))));
}
