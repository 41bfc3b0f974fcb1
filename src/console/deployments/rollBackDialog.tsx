import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { Time, versionName } from '../parts/small.js';
import { useSession } from '../shell/session.js';
import type { Cell } from './inForce.js';

interface RollBackDialogProps {
  readonly cell: Cell;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/**
 * Puts the version before in force again, by a deployment of its own: the one that is rolled back stays in the history,
 * with the executions that it ran.
 */
export function RollBackDialog({ cell: { decision, environment, history }, onClose, onDone }: RollBackDialogProps) {
  const { api } = useSession();
  const [inForce, ...older] = history;
  const target = older.find(({ version }) => version !== inForce?.version) ?? older[0];
  const [message, setMessage] = useState('');
  const [deployedBy, setDeployedBy] = useState('');
  if (inForce === undefined || target === undefined) return null;
  return (
    <Dialog
      title={`Roll back ${decision.key} in ${environment.name}`}
      action="Roll back"
      onClose={onClose}
      onSubmit={async () => {
        await api.deploy({
          decisionId: decision.id,
          environmentId: environment.id,
          version: target.version,
          name: `Roll back to ${versionName(target.version)}`.slice(0, 255),
          message: message.trim() || null,
          deployedBy: deployedBy.trim() || 'console',
        });
        onDone();
      }}
    >
      <p>
        From <b>{versionName(inForce.version)}</b> ({inForce.name}) to <b>{versionName(target.version)}</b>, which{' '}
        {target.deployedBy} deployed on <Time at={target.createdAt} />.
      </p>
      <label>
        Message
        <input
          value={message}
          maxLength={4000}
          placeholder="why"
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
      </label>
      <label>
        Deployed by
        <input
          value={deployedBy}
          maxLength={255}
          placeholder="console"
          onInput={(event) => setDeployedBy(event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
