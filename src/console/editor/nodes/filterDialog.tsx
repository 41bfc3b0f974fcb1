import { Few } from '../../parts/table.js';
import { useMemo, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, Tick, toggled } from '../../parts/entries.js';
import { Button, count } from '../../parts/small.js';
import { cellText, type Sheet, type SheetColumn } from '../sheet.js';

interface FilterDialogProps {
  readonly sheet: Sheet;
  readonly column: SheetColumn;
  readonly onFilter: (texts: ReadonlySet<string>) => void;
  readonly onClose: () => void;
}

/** Which values of a column are to be seen. */
export function FilterDialog({ sheet, column, onFilter, onClose }: FilterDialogProps) {
  const [wanted, setWanted] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const values = useMemo(() => {
    const counts = new Map<string, number>();
    for (const row of sheet.rows) {
      const text = cellText(row, column);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return [...counts];
  }, [sheet, column]);
  const matching = values.filter(([text]) => text.toLowerCase().includes(wanted.trim().toLowerCase()));
  const chosen = new Set(matching.flatMap(([text]) => (left.has(text) ? [] : [text])));
  return (
    <Dialog
      title={`Filter by ${column.name}`}
      action={`Show ${count(
        matching.reduce((sum, [text, number]) => sum + (chosen.has(text) ? number : 0), 0),
        'row',
      )}`}
      onClose={onClose}
      onSubmit={() => onFilter(chosen)}
    >
      <TextField name="Find a value" type="search" value={wanted} onChange={setWanted} />
      <div class="actions">
        <Button name="All" class="quiet" onClick={() => setLeft(new Set())} />
        <Button name="None" class="quiet" onClick={() => setLeft(new Set(values.map(([text]) => text)))} />
      </div>
      <fieldset class="choices">
        <legend>Values</legend>
        <div class="long">
          {/* More are narrowed down by typing. */}
          <Few of={matching} most={200} as="p">
            {([text, number]) => (
              <Tick
                key={text}
                name={[<code>{text || column.empty || 'empty'}</code>, ' ', <span class="soft">{number}</span>]}
                checked={!left.has(text)}
                onChange={() => setLeft(toggled(left, text))}
              />
            )}
          </Few>
        </div>
      </fieldset>
    </Dialog>
  );
}
