import { useLayoutEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { Button } from '../parts/small.js';
import { useRouter } from '../shell/address.js';

interface LeaveDialogProps {
  readonly isDirty: boolean;
  readonly onKeep: () => Promise<unknown>;
  readonly onDiscard: () => void;
}

/** Asks an author who wants to leave the page with unsaved changes whether to save or to discard them. The page stays until then. */
export function LeaveDialog({ isDirty, onKeep, onDiscard }: LeaveDialogProps) {
  const { hold } = useRouter();
  const [pending, setPending] = useState<{ readonly go: () => void } | null>(null);
  // Before the page shows whether something is unsaved: who goes at once is asked, or not asked, by what they see.
  useLayoutEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    hold((go) => setPending({ go }));
    return () => {
      removeEventListener('beforeunload', ask);
      hold(null);
    };
  }, [isDirty]);
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
            onDiscard();
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
