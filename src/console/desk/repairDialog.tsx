import type { Model } from '../api/types.js';
import { RepairList } from '../editor/repairList.js';
import type { RepairGroup } from '../editor/repairs.js';
import type { CheckedFaults } from '../model/useFaults.js';
import { Dialog } from '../parts/dialog.js';
import { Button } from '../parts/small.js';

interface RepairDialogProps {
  readonly groups: readonly RepairGroup[];
  readonly checked: CheckedFaults;
  readonly onEdit: (change: (model: Model) => Model) => void;
  readonly onClose: () => void;
}

/** Cells that a person means otherwise than the engine reads them: by kind and column, as they are and as they would be. */
export const RepairDialog = ({ groups, checked, onEdit, onClose }: RepairDialogProps) => (
  <Dialog title="Repairs" cancel="Done" isWide onClose={onClose}>
    <div class="stack repairs">
      {checked.status === 'checking' && <p class="soft">The draft is being checked …</p>}
      {checked.status === 'stopped' && (
        <p class="warn">
          {groups.length === 0 ? 'What is left to repair' : 'Whether more is left to repair'} is not known: the check of
          the draft did not end. <Button name="Check again" onClick={checked.again} />
        </p>
      )}
      {groups.length === 0 && checked.status === 'known' && <p>Nothing is left to repair.</p>}
      <RepairList groups={groups} onEdit={onEdit} />
    </div>
  </Dialog>
);
