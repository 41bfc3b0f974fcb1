import { useLayoutEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { Button } from '../parts/small.js';
import { useListener } from '../parts/useListener.js';
import { useRouter } from '../shell/address.js';
import type { Draft } from './useDraft.js';

interface LeaveDialogProps {
  readonly draft: Draft;
  readonly onKeep: () => Promise<unknown>;
}

/** Asks an author who wants to leave the page with unsaved changes whether to save or to discard them. The page stays until then. */
export function LeaveDialog({ draft, onKeep }: LeaveDialogProps) {
  const { isDirty } = draft;
  const { hold } = useRouter();
  const [pending, setPending] = useState<{ readonly go: () => void } | null>(null);
  // Before the page shows whether something is unsaved: who goes at once is asked, or not asked, by what they see.
  useLayoutEffect(() => {
    if (!isDirty) return;
    hold((go) => setPending({ go }));
    return () => hold(null);
  }, [isDirty]);
  // What the browser keeps is there when the page is loaded again: nobody has to be asked.
  useListener('beforeunload', (event) => {
    if (isDirty && !draft.keep()) event.preventDefault();
  });
  if (pending === null) return null;
  return (
    <Dialog
      title="Your changes are not saved"
      action="Keep as working copy"
      cancel="Stay"
      others={
        <Button
          name="Discard"
          onClick={() => {
            draft.discard();
            pending.go();
          }}
        />
      }
      onClose={() => setPending(null)}
      onSubmit={async () => {
        await onKeep();
        pending.go();
      }}
    >
      <p>Leave the editor, and keep them as the working copy, or discard them?</p>
    </Dialog>
  );
}
