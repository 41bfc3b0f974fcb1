import { decisionName } from '../../decisions/decisionName.js';
import { FileField } from '../parts/fileField.js';
import { createDecision, deleteDecision, updateDecision } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import { documentIn } from '../api/contents.js';
import type { Decision, Model } from '../api/types.js';
import { permitted } from '../api/client.js';
import { allOf } from '../graph/fields.js';
import { versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useNames } from '../parts/useNames.js';
import { Dialog } from '../parts/dialog.js';
import { Tick } from '../parts/entries.js';
import { Field, FormDialog } from '../parts/form.js';
import { useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';

interface DecisionDialogProps {
  readonly decision: Decision;
  /** What is on screen: a copy begins with it. */
  readonly content: Model;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}

/** Gives a decision another key. As long as others call it by its key the service refuses that, and names them. */
export function RenameDialog({ decision: { id, key }, onClose, onRenamed }: DecisionDialogProps) {
  const [isForced, setForced] = useState(false);
  return (
    <FormDialog
      operation={updateDecision}
      given={{ id, force: String(isForced) }}
      title={`Rename ${decisionName(key)}`}
      action="Rename"
      first={{ key }}
      onDone={onRenamed}
      onClose={onClose}
    >
      <Field at="key" label="Name (key)" hint="" isRequired />
      <Tick
        name="Also where others call it by its key: they then have faults"
        checked={isForced}
        onChange={setForced}
      />
      <p class="soft small">Its versions, deployments and executions stay with it.</p>
    </FormDialog>
  );
}

/** Makes a decision of its own of what is on screen. */
export function CopyDialog({ decision, content, onClose }: DecisionDialogProps) {
  const { api } = useSession();
  const { go } = useRouter();
  return (
    <FormDialog
      operation={createDecision}
      title={`Copy ${decisionName(decision.key)}`}
      action="Copy"
      first={{ key: decision.key.replace(/(\.json|\.dmn)?$/, '-copy$1') }}
      send={async ({ key }) => go(`/decisions/${(await api.createDecision(key, content)).id}`)}
      onClose={onClose}
    >
      <Field at="key" label="Name (key)" hint="" />
      <p class="soft small">
        The copy is a working copy of what is on screen, with its tests and without its versions.
      </p>
    </FormDialog>
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
      <FileField name="Document of DMN" required accept=".dmn,.xml" onFile={setFile} />
      <p class="soft small">Its tests stay as they are. “Compare” shows then what changed since a version.</p>
    </Dialog>
  );
}

/** The service refuses it where it is deployed, called by another or has executions, and says by what. */
export function DeleteDialog({ decision: { id, key }, onClose }: DecisionDialogProps) {
  const { go } = useRouter();
  return (
    <FormDialog
      operation={deleteDecision}
      isFinal
      given={{ id }}
      title={`Delete ${decisionName(key)}?`}
      action="Delete"
      onDone={() => go('/decisions')}
      onClose={onClose}
    >
      <p>
        Its working copy and all its versions are gone then. One that was deployed or executed, or that another calls,
        stays.
      </p>
      <WhereDeployed id={id} />
    </FormDialog>
  );
}

/** Says whether a decision is deployed, as far as who asks may know it. */
function WhereDeployed({ id }: { readonly id: string }) {
  const { api } = useSession();
  const names = useNames();
  const { value } = useLoaded((signal) => permitted(api.all('GET /logic/routings', {}, signal), null), [api]);
  if (value === null || names.value === null) return null;
  const { environmentOf } = names.value;
  const places = value
    .filter(({ inForce, decisionId }) => inForce && decisionId === id)
    .map(
      ({ environmentId, version }) =>
        `${environmentOf(environmentId)?.name ?? environmentId} (${versionName(version)})`,
    );
  if (places.length === 0) return <p>It is deployed nowhere.</p>;
  return <p class="fault warning">{`It is deployed in ${allOf(places)}, so it stays.`}</p>;
}
