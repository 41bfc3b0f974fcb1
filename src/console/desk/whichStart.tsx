import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { Choice } from '../parts/entries.js';
import type { Start } from './graphForm.js';

interface WhichStartProps {
  readonly starts: readonly Start[];
  readonly onChoose: (start: Start) => void;
  readonly onClose: () => void;
}

/** Asks by which condition of a switch an edge leaves it. */
export function WhichStart({ starts, onChoose, onClose }: WhichStartProps) {
  const [at, setAt] = useState(0);
  return (
    <Dialog
      title="Connect a switch"
      action="Connect"
      onClose={onClose}
      onSubmit={() => {
        const start = starts[at];
        if (start !== undefined) onChoose(start);
        return Promise.resolve();
      }}
    >
      <Choice name="Where" value={at} options={starts.map(({ name }, index) => [index, name])} onChange={setAt} />
    </Dialog>
  );
}
