import { createChangeRequest } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import { decisionName } from '../decisions/tree.js';
import { Choice } from '../parts/entries.js';
import { Field, FormDialog } from '../parts/form.js';
import { versionName } from '../parts/small.js';
import type { Names } from '../parts/useNames.js';
import { VersionChoice } from '../parts/versionChoice.js';
import { useRouter } from '../shell/address.js';

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
  const { go } = useRouter();
  const saved = names.decisions.filter(({ latestVersion }) => latestVersion !== null);
  const [decisionId, setDecision] = useState(first.decisionId ?? saved[0]?.id ?? '');
  const decision = saved.find(({ id }) => id === decisionId);
  const [chosen, setVersion] = useState<number | null>(null);
  const version = chosen ?? decision?.latestVersion ?? 0;
  const environmentId = first.environmentId ?? names.environments[0]?.id ?? '';
  const title = `${decisionName(decision?.key ?? '').slice(0, 230)} ${versionName(version)}`;
  return (
    <FormDialog
      operation={createChangeRequest}
      title="New request"
      action="Request"
      first={{ environmentId }}
      defaults={() => ({ title })}
      body={(typed) => ({
        environmentId,
        title,
        ...typed,
        changes: [{ type: 'deploy' as const, decisionId, version }],
      })}
      onDone={({ id }) => go(`/requests/${id}`)}
      onClose={onClose}
    >
      {names.environments.length === 0 && (
        <p>No environment is protected, so none needs a request: versions are deployed on the page Deployments.</p>
      )}
      <Field at="environmentId" label="Environment" options={names.environments.map(({ id, name }) => [id, name])} />
      <Choice
        name="Decision"
        value={decisionId}
        options={saved.map(({ id, key }) => [id, decisionName(key)])}
        onChange={(id) => {
          setDecision(id);
          setVersion(null);
        }}
      />
      <VersionChoice decisionId={decisionId} value={version} onChange={setVersion} />
      <Field at="title" />
      <Field at="message" placeholder="why" />
    </FormDialog>
  );
}
