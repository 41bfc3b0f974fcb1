import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import type { Cell } from './inForce.js';

interface DeployDialogProps {
  readonly cell: Cell;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Puts a version in force; all traffic of the decision in the environment runs it from then on. */
export function DeployDialog({ cell: { decision, environment }, onClose, onDone }: DeployDialogProps) {
  const { api } = useSession();
  const versions = useLoaded((signal) => api.versions(decision.id, signal), [api, decision.id]);
  const [version, setVersion] = useState(decision.latestVersion ?? 0);
  const [name, setName] = useState('');
  const [message, setMessage] = useState('');
  const [deployedBy, setDeployedBy] = useState('');
  return (
    <Dialog
      title={`Deploy ${decision.key} to ${environment.name}`}
      action="Deploy"
      onClose={onClose}
      onSubmit={async () => {
        await api.deploy({
          decisionId: decision.id,
          environmentId: environment.id,
          version,
          name: name.trim() || versionName(version),
          message: message.trim() || null,
          deployedBy: deployedBy.trim() || 'console',
        });
        onDone();
      }}
    >
      <Shown loaded={versions}>
        {(list) => (
          <label>
            Version
            <select value={version} onChange={(event) => setVersion(Number(event.currentTarget.value))}>
              {[...list].reverse().map((each) => (
                <option key={each.version} value={each.version}>
                  {versionName(each.version)}
                  {each.message !== null && ` · ${each.message.slice(0, 60)}`}
                </option>
              ))}
              <option value={0}>working copy, as it changes</option>
            </select>
          </label>
        )}
      </Shown>
      <label>
        Name
        <input
          value={name}
          maxLength={255}
          placeholder={versionName(version)}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
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
