import { useState } from 'preact/hooks';
import { documentIn } from '../api/contents.js';
import type { Decision, Model } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/entries.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';

interface DecisionDialogProps {
  readonly decision: Decision;
  /** What is on screen: a copy begins with it. */
  readonly content: Model;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}

/** Gives a decision another key. Decisions that call it by its key are refused by the service, which names them. */
export function RenameDialog({ decision, onClose, onRenamed }: DecisionDialogProps) {
  const { api } = useSession();
  const [key, setKey] = useState(decision.key);
  return (
    <Dialog
      title={`Rename ${decisionName(decision.key)}`}
      action="Rename"
      onClose={onClose}
      onSubmit={async () => {
        await api.ask('PATCH /logic/decisions/{id}', { id: decision.id, body: { key: key.trim() } });
        onRenamed();
      }}
    >
      <TextField name="Key" required maxLength={512} value={key} onChange={setKey} />
      <p class="soft small">
        Its versions, deployments and executions stay with it. Decisions that call it by its key have to be changed,
        too.
      </p>
    </Dialog>
  );
}

/** Makes a decision of its own of what is on screen. */
export function CopyDialog({ decision, content, onClose }: DecisionDialogProps) {
  const { api } = useSession();
  const { go } = useRouter();
  const [key, setKey] = useState(decision.key.replace(/(\.json|\.dmn)?$/, '-copy$1'));
  return (
    <Dialog
      title={`Copy ${decisionName(decision.key)}`}
      action="Copy"
      onClose={onClose}
      onSubmit={async () => {
        const { id } = await api.createDecision(key.trim(), content);
        go(`/decisions/${id}`);
      }}
    >
      <TextField name="Key" required maxLength={512} value={key} onChange={setKey} />
      <p class="soft small">
        The copy is a working copy of what is on screen, with its tests and without its versions.
      </p>
    </Dialog>
  );
}

/** Puts a document that was changed in a modeler in place of the working copy; its tests stay. */
export function ReplaceDialog({ decision, content, onClose, onRenamed }: DecisionDialogProps) {
  const { api } = useSession();
  const [file, setFile] = useState<File | null>(null);
  return (
    <Dialog
      title={`Replace the working copy of ${decisionName(decision.key)}`}
      action="Replace"
      onClose={onClose}
      onSubmit={async () => {
        if (file === null) return;
        const read = await documentIn(file, content.tests);
        const { decision: before, tag } = await api.decisionWithTag(decision.id);
        await api.updateDecision(decision.id, read, { force: before.faults > 0, tag });
        onRenamed();
      }}
    >
      <label>
        Document of DMN
        <input
          type="file"
          required
          accept=".dmn,.xml"
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
        />
      </label>
      <p class="soft small">Its tests stay as they are. “Compare” shows then what changed since a version.</p>
    </Dialog>
  );
}

/** The service refuses it where it is deployed, called by another or has executions, and says by what. */
export function DeleteDialog({ decision, onClose }: DecisionDialogProps) {
  const { api } = useSession();
  const { go } = useRouter();
  return (
    <Dialog
      title={`Delete ${decisionName(decision.key)}?`}
      action="Delete"
      onClose={onClose}
      onSubmit={async () => {
        await api.ask('DELETE /logic/decisions/{id}', { id: decision.id });
        go('/decisions');
      }}
    >
      <p>Its working copy and all its versions are gone then.</p>
    </Dialog>
  );
}
