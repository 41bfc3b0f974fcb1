import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import { Button, count } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { cellsIn, repaired, sureGroups, type RepairGroup } from './repairs.js';

interface RepairListProps {
  readonly groups: readonly RepairGroup[];
  readonly onEdit: (change: (model: Model) => Model) => void;
}

/** More of one kind nobody reads; the button says how many they are. */
const mostShown = 30;

/** What can be put right, each kind by its button; what has one reading all at once; and what is to be written anew. */
export function RepairList({ groups, onEdit }: RepairListProps) {
  const box = useRef<HTMLDivElement>(null);
  const known = useRef(groups.length);
  // The button that was pressed is gone with its cells: the next one has the focus, or what says that nothing is left.
  useEffect(() => {
    const { current } = box;
    const isPressed = groups.length < known.current && document.activeElement === document.body;
    known.current = groups.length;
    if (current !== null && isPressed) (current.querySelector<HTMLElement>('input, button') ?? current).focus();
  }, [groups.length]);
  const sure = sureGroups(groups);
  const byHand = groups.filter(({ choices }) => choices === 0);
  return (
    <div ref={box} class="stack" tabIndex={-1}>
      {sure.length > 1 && (
        <p>
          <Button
            class="primary"
            name={`Repair all that have one reading (${count(cellsIn(sure), 'cell')})`}
            onClick={() => onEdit((model) => sure.reduce((before, group) => repaired(before, group, 0), model))}
          />
        </p>
      )}
      {groups
        .filter(({ choices }) => choices > 0)
        .map((group) => (
          <Group
            key={group.key}
            group={group}
            onRepair={(choice) => onEdit((model) => repaired(model, group, choice))}
          />
        ))}
      {byHand.length > 0 && <h3>To be written anew</h3>}
      {byHand.map((group) => (
        <p key={group.key}>
          {group.title} in <b>{group.column}</b> of {group.table}:{' '}
          {group.cells.slice(0, mostShown).map(({ row, text }, at) => (
            <span key={row}>
              {at > 0 && ', '}row {row + 1} <code>{text}</code>
            </span>
          ))}
          {group.cells.length > mostShown && ` and ${group.cells.length - mostShown} more`}
        </p>
      ))}
    </div>
  );
}

/** What each answer to a question means, in the order of the readings. */
const answers: Readonly<Record<string, readonly string[]>> = {
  decimal: ['as in 1,234.56', 'as in 1.234,56'],
  code: ['requests have numbers, without zeros before them', 'requests have texts, as for postcodes'],
  capitals: ['as in other cells', 'as it stands'],
  share: ['in percent, without its sign', 'as it stands'],
  currency: ['a text, with its currency', 'the number alone'],
  converted: ['converted', 'the number as it stands'],
  dayOrder: ['the month first', 'the day first'],
};

/** What a reading is, where its kind alone tells it from the others. */
const wordsOf = (reading: string): string =>
  /^(?:true|false)$/.test(reading) ? 'as yes or no' : /^"[^"]*"$/.test(reading) ? 'as the word that stands there' : '';

function Group({ group, onRepair }: { readonly group: RepairGroup; readonly onRepair: (choice: number) => void }) {
  const { title, question, column, table, choices, cells } = group;
  const [chosen, setChosen] = useState<number | null>(choices === 1 ? 0 : null);
  const [first] = cells;
  const columns: readonly Column<(typeof cells)[number]>[] = [
    ['Row of the table', ({ row }) => row + 1, 'narrow'],
    ['Now', ({ text }) => <code>{text}</code>],
    [
      'Then',
      ({ readings }) => (chosen === null ? <span class="soft">?</span> : <Shown text={readings[chosen] ?? ''} />),
    ],
  ];
  return (
    <section aria-label={`${title} in ${column}, such as ${first?.text ?? ''}`}>
      <h3>
        {title} in {column} <span class="soft">· {table}</span>
      </h3>
      {choices > 1 && (
        <fieldset class="choices">
          <legend>
            What does <code>{first?.text}</code> mean?
          </legend>
          {first?.readings.map((reading, at) => (
            <label class="choice" key={reading}>
              <input type="radio" name={group.key} checked={chosen === at} onChange={() => setChosen(at)} />
              <Shown text={reading} />
              {choices === 2 && <span class="soft">{answers[question]?.[at] ?? wordsOf(reading)}</span>}
            </label>
          ))}
        </fieldset>
      )}
      <Table label="Cells" columns={columns} rows={cells.slice(0, mostShown)} />
      {cells.length > mostShown && <p class="soft small">… and {cells.length - mostShown} more.</p>}
      <div class="actions">
        <Button
          name={`Repair ${count(cells.length, 'cell')}`}
          disabled={chosen === null}
          onClick={() => chosen !== null && onRepair(chosen)}
        />
      </div>
    </section>
  );
}

const Shown = ({ text }: { readonly text: string }) =>
  text === '' ? <span class="soft">empty</span> : <code>{text}</code>;
