import { useState } from 'preact/hooks';
import type { FilePart } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';

interface BothChangedProps {
  /** Each by the cell of its row. */
  readonly changed: readonly string[];
  readonly onChosen: (prefer: NonNullable<FilePart['prefer']>) => void;
  readonly onClose: () => void;
}

const sides = [
  ['table', 'Keep what the table has there'],
  ['file', 'Take what the file has there'],
] as const;

const mostShown = 20;

/** Rows that were changed in a file and meanwhile in its table: whose are taken. All that only one of them changed comes as it would. */
export function BothChanged({ changed, onChosen, onClose }: BothChangedProps) {
  const [chosen, setChosen] = useState<NonNullable<FilePart['prefer']>>('table');
  return (
    <Dialog
      title="Changed in the file and in the table"
      action="Show what would change"
      // After this dialog, which is closed when this is done.
      onSubmit={() => void setTimeout(() => onChosen(chosen))}
      onClose={onClose}
    >
      <p>
        Since this file was exported, the table was changed in the same rows. What only one of them changed is taken.
      </p>
      <ul>
        {changed.slice(0, mostShown).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {changed.length > mostShown && <li>{changed.length - mostShown} more</li>}
      </ul>
      <fieldset class="choices">
        <legend>In these rows</legend>
        {sides.map(([side, text]) => (
          <label class="choice" key={side}>
            <input type="radio" name="prefer" checked={chosen === side} onChange={() => setChosen(side)} />
            {text}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
