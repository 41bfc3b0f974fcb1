import { useEffect, useRef, useState } from 'preact/hooks';
import { repairNames } from '../../../workers/cells/index.js';
import type { Model } from '../api/types.js';
import type { CheckedFaults } from '../model/useFaults.js';
import { repaired, type RepairGroup } from '../editor/repairs.js';
import { Dialog } from '../parts/dialog.js';
import { Button, count } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';

interface RepairDialogProps {
  readonly groups: readonly RepairGroup[];
  readonly checked: CheckedFaults;
  readonly onEdit: (change: (model: Model) => Model) => void;
  readonly onClose: () => void;
}

/** More of one kind nobody reads; the button says how many they are. */
const mostShown = 30;

/** Cells that a person means otherwise than the engine reads them: by kind and column, as they are and as they would be. */
export function RepairDialog({ groups, checked, onEdit, onClose }: RepairDialogProps) {
  const box = useRef<HTMLDivElement>(null);
  const open = groups.filter(({ choices }) => choices > 0);
  const byHand = groups.filter(({ choices }) => choices === 0);
  // The button that was pressed is gone with its cells.
  useEffect(() => {
    const { current } = box;
    if (current !== null && !current.contains(document.activeElement))
      (current.querySelector<HTMLElement>('input, button') ?? current).focus();
  }, [groups.length]);
  return (
    <Dialog title="Repairs" cancel="Done" isWide onClose={onClose}>
      <div ref={box} class="stack repairs" tabIndex={-1}>
        {checked.status === 'checking' && <p class="soft">The draft is being checked …</p>}
        {checked.status === 'stopped' && (
          <p class="warn">
            {groups.length === 0 ? 'What is left to repair' : 'Whether more is left to repair'} is not known: the check
            of the draft did not end. <Button name="Check again" onClick={checked.again} />
          </p>
        )}
        {groups.length === 0 && checked.status === 'known' && <p>Nothing is left to repair.</p>}
        {open.map((group) => (
          <Group
            key={group.key}
            group={group}
            onRepair={(choice) => onEdit((model) => repaired(model, group, choice))}
          />
        ))}
        {byHand.length > 0 && <h3>To be written anew</h3>}
        {byHand.map((group) => (
          <p key={group.key}>
            {repairNames[group.form]} in <b>{group.column}</b> of {group.table}:{' '}
            {group.cells.slice(0, mostShown).map(({ row, text }, at) => (
              <span key={row}>
                {at > 0 && ', '}row {row + 1} <code>{text}</code>
              </span>
            ))}
            {group.cells.length > mostShown && ` and ${group.cells.length - mostShown} more`}
          </p>
        ))}
      </div>
    </Dialog>
  );
}

/** What each answer to a question means, in the order of the readings. */
const answers: Readonly<Record<string, readonly string[]>> = {
  decimal: ['as in 1,234.56', 'as in 1.234,56'],
  dayOrder: ['the month first', 'the day first'],
};

function Group({ group, onRepair }: { readonly group: RepairGroup; readonly onRepair: (choice: number) => void }) {
  const { form, question, column, table, choices, cells } = group;
  const [chosen, setChosen] = useState<number | null>(choices === 1 ? 0 : null);
  const [first] = cells;
  const columns: readonly Column<(typeof cells)[number]>[] = [
    ['Row', ({ row }) => row + 1],
    ['Now', ({ text }) => <code>{text}</code>],
    [
      'Then',
      ({ readings }) => (chosen === null ? <span class="soft">?</span> : <Shown text={readings[chosen] ?? ''} />),
    ],
  ];
  return (
    <section aria-label={`${repairNames[form]} in ${column}, such as ${first?.text ?? ''}`}>
      <h3>
        {repairNames[form]} in {column} <span class="soft">· {table}</span>
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
              {choices === 2 && answers[question] !== undefined && <span class="soft">{answers[question][at]}</span>}
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
