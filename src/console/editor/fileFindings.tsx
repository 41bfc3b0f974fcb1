import { Few } from '../parts/table.js';
import { useMemo } from 'preact/hooks';
import type { Fault, FilePart, Model } from '../api/types.js';
import { movedFaults } from '../model/movedFaults.js';
import { isUnread, severityWord } from '../parts/faultWords.js';
import { allOf, stepsOf } from '../graph/fields.js';
import { count } from '../parts/small.js';
import { FileOffers, isOffer } from './fileOffers.js';
import { fileFaults, isOtherSheet, titleRow } from './fileFaults.js';
import type { FileModel } from './fileModel.js';
import { RepairList } from './repairList.js';
import { cellsIn, otherFaults, repairGroups } from './repairs.js';
import { withContent } from './modelEdits.js';
import { Question } from './question.js';
import { withoutRows } from './rowEdits.js';
import { sheetOf } from './sheet.js';

interface FileFindingsProps {
  readonly found: FileModel;
  readonly onChange: (found: FileModel) => void;
  /** Reads the file anew: another sheet, with another row for its names, or in another form. */
  readonly onPart: (part: FilePart) => void;
}

/** What is told of a file before anything of it is kept: what can be put right, cell by cell, and what else is wrong with it. */
export function FileFindings({ found: { content, faults }, onChange, onPart }: FileFindingsProps) {
  const groups = useMemo(() => repairGroups(content, faults), [content, faults]);
  const strange = strangeRows(faults);
  const others = useMemo(
    () => fileFaults(otherFaults(content, faults, groups).filter((fault) => !isAsked(fault))),
    [content, faults, groups],
  );
  const cells = cellsIn(groups);
  const edit = (change: (model: Model) => Model): void => {
    const next = change(content);
    onChange({ content: next, faults: movedFaults(faults, content, next) });
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
  const offers = <FileOffers faults={faults} onPart={onPart} />;
  if (start !== null) {
    return (
      <section class="stack repairs" aria-label="Found in the file">
        {offers}
        <Question
          title={`Row ${start} names the columns: start there?`}
          about={fileFaults(nameless)[0]?.text}
          answers={{ [`Start at row ${start}`]: () => onPart({ header: start }) }}
        />
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
          answers={{ [`Leave ${of.name} out`]: () => edit((model) => withoutFileRows(model, of.rows)) }}
        />
      ))}
      <RepairList groups={groups} onEdit={edit} />
    </section>
  );
}

/** What is told as a question. */
const isAsked = (fault: Fault): boolean => isOfRow(fault) || isOtherSheet(fault) || isOffer(fault);

/** A row of the file that is hardly one of the table. */
const isOfRow = ({ nodeId, pointer }: Fault): boolean => nodeId === null && /\/rules\/\d+$/.test(pointer ?? '');

/** More of what stands below a table nobody reads. */
const mostTold = 3;

/** Units or hints in the first row, and what stands below the table: each is one question. */
function strangeRows(faults: readonly Fault[]) {
  const rows = faults.filter(isOfRow);
  const isFirst = ({ pointer }: Fault): boolean => /\/rules\/0$/.test(pointer ?? '');
  const asked = (what: string, own: readonly Fault[]) => {
    const numbers = own.map(({ field }) => /\d+$/.exec(field ?? '')?.[0] ?? '');
    const name = `row${own.length > 1 ? 's' : ''} ${allOf(numbers)}`;
    return { name, title: `${what} in ${name}: leave ${own.length > 1 ? 'them' : 'it'} out?`, rows: own };
  };
  return [
    asked('Units or hints', rows.filter(isFirst)),
    asked(
      'Words below the table',
      rows.filter((fault) => !isFirst(fault)),
    ),
  ].filter(({ rows: own }) => own.length > 0);
}

function withoutFileRows(model: Model, faults: readonly Fault[]): Model {
  const places = faults.map(({ pointer }) => stepsOf(pointer ?? ''));
  const node = model.nodes[Number(places[0]?.[1])];
  const sheet = node && sheetOf(node);
  if (node === undefined || sheet === undefined) return model;
  return withContent(model, node.id, withoutRows(sheet, new Set(places.map(([, , , , row]) => Number(row)))));
}
