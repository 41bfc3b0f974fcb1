import { useState } from 'preact/hooks';
import { decisionName } from '../decisions/tree.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, TextField } from '../parts/entries.js';
import { Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import type { Names } from '../parts/useNames.js';
import { versionOptions } from '../parts/versionOptions.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';

interface NewRequestProps {
  /** The environments are those that are protected. */
  readonly names: Pick<Names, 'decisions' | 'environments'>;
  readonly onClose: () => void;
  /** What is chosen first. */
  readonly environmentId?: string;
  readonly decisionId?: string;
}

/** Asks for a saved version to be deployed to a protected environment, and opens the request. */
export function NewRequest({ names, onClose, ...first }: NewRequestProps) {
  const { api } = useSession();
  const { go } = useRouter();
  const saved = names.decisions.filter(({ latestVersion }) => latestVersion !== null);
  const [environmentId, setEnvironment] = useState(first.environmentId ?? names.environments[0]?.id ?? '');
  const [decisionId, setDecision] = useState(first.decisionId ?? saved[0]?.id ?? '');
  const newest = saved.find(({ id }) => id === decisionId)?.latestVersion ?? null;
  const [chosen, setVersion] = useState<number | null>(null);
  const [title, setTitle] = useState('');
  const [message, setMessage] = useState('');
  const versions = useLoaded(
    async (signal) =>
      decisionId === '' ? [] : api.all('GET /logic/decisions/{id}/versions', { id: decisionId }, signal),
    [api, decisionId],
  );
  const version = chosen ?? newest ?? 0;
  const key = decisionName(saved.find(({ id }) => id === decisionId)?.key ?? '');
  return (
    <Dialog
      title="New request"
      action="Request"
      onClose={onClose}
      onSubmit={async () => {
        const made = await api.ask('POST /logic/change-requests', {
          body: {
            environmentId,
            title: title.trim() || `${key.slice(0, 230)} ${versionName(version)}`,
            message: message.trim() || null,
            changes: [{ type: 'deploy', decisionId, version }],
          },
        });
        go(`/requests/${made.id}`);
      }}
    >
      {names.environments.length === 0 && (
        <p>No environment is protected, so none needs a request: versions are deployed on the page Deployments.</p>
      )}
      <Choice
        name="Environment"
        value={environmentId}
        options={names.environments.map(({ id, name }) => [id, name])}
        onChange={setEnvironment}
      />
      <Choice
        name="Decision"
        value={decisionId}
        options={saved.map((each) => [each.id, decisionName(each.key)])}
        onChange={(id) => {
          setDecision(id);
          setVersion(null);
        }}
      />
      <Shown loaded={versions}>
        {(list) => <Choice name="Version" value={version} options={versionOptions(list)} onChange={setVersion} />}
      </Shown>
      <TextField
        name="Title"
        value={title}
        maxLength={255}
        placeholder={`${key} ${versionName(version)}`}
        onChange={setTitle}
      />
      <TextField name="Message" value={message} maxLength={4000} placeholder="why" onChange={setMessage} />
    </Dialog>
  );
}
