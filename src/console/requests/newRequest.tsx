import { decisionName } from '../../decisions/decisionName.js';
import { createChangeRequest } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import { Choice } from '../parts/entries.js';
import { Field, FormDialog } from '../parts/form.js';
import { versionName } from '../parts/small.js';
import type { Names } from '../parts/useNames.js';
import { VersionChoice } from '../parts/versionChoice.js';
import type { Protections } from '../deployments/protected.js';
import { useRouter, Link } from '../shell/address.js';
import { Against } from './against.js';
import { permitted } from '../api/client.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { isUndecided } from './words.js';

interface NewRequestProps {
  readonly names: Pick<Names, 'decisions' | 'environments'>;
  readonly protections: Protections;
  readonly onClose: () => void;
  /** What is chosen first. */
  readonly environmentId?: string;
  readonly decisionId?: string;
  readonly version?: number;
  readonly title?: string;
  readonly message?: string | null;
}

/** Asks for a saved version to be deployed to a protected environment, and opens the request. */
export function NewRequest({ names, protections, onClose, ...first }: NewRequestProps) {
  const { go } = useRouter();
  const saved = names.decisions.filter(({ latestVersion }) => latestVersion !== null);
  const [decisionId, setDecision] = useState(first.decisionId ?? saved[0]?.id ?? '');
  const decision = saved.find(({ id }) => id === decisionId);
  const [chosen, setVersion] = useState<number | null>(first.version ?? null);
  const version = chosen ?? decision?.latestVersion ?? 0;
  const guarded = names.environments.filter(({ id }) => protections.has(id));
  const environmentId = first.environmentId ?? guarded[0]?.id ?? '';
  const title = `${decisionName(decision?.key ?? '').slice(0, 230)} ${versionName(version)}`;
  return (
    <FormDialog
      operation={createChangeRequest}
      title="New request"
      action="Request"
      first={{
        environmentId,
        ...(first.title && { title: first.title }),
        ...(first.message && { message: first.message }),
      }}
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
      {(typed) => (
        <>
          {guarded.length === 0 && (
            <p>No environment is protected, so none needs a request: versions are deployed on the page Deployments.</p>
          )}
          <Field at="environmentId" label="Environment" options={guarded.map(({ id, name }) => [id, name])} />
          <Choice
            name="Decision"
            value={decisionId}
            options={saved.map(({ id, key }) => [id, decisionName(key)])}
            onChange={(id) => {
              setDecision(id);
              setVersion(null);
            }}
          />
          <OpenRequests decisionId={decisionId} environmentId={typed.environmentId ?? environmentId} />
          <VersionChoice decisionId={decisionId} value={version} onChange={setVersion} />
          {version > 0 && (
            <Against
              {...{ decisionId, version }}
              protection={protections.get(typed.environmentId ?? environmentId) ?? null}
            />
          )}
          <Field at="title" />
          <Field at="message" placeholder="why" />
        </>
      )}
    </FormDialog>
  );
}

/** Says that something of the decision is asked for in the environment already: who asks again makes others review twice. */
function OpenRequests({ decisionId, environmentId }: { readonly decisionId: string; readonly environmentId: string }) {
  const { api } = useSession();
  const { value } = useLoaded(
    async (signal) => {
      if (decisionId === '' || environmentId === '') return [];
      const newest = { decisionId, environmentId, order: 'desc', size: 100 } as const;
      const page = await permitted(api.ask('GET /logic/change-requests', newest, signal), null);
      return page?.data.filter(isUndecided) ?? [];
    },
    [api, decisionId, environmentId],
  );
  if (value === null || value.length === 0) return null;
  return (
    <div class="fault warning" role="status">
      {value.length === 1 ? 'A request for it is open there: ' : 'Requests for it are open there: '}
      {value.map(({ id, title }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link to={`/requests/${id}`}>{title}</Link>
        </span>
      ))}
      . Close {value.length === 1 ? 'it' : 'them'} first, or go on with {value.length === 1 ? 'it' : 'one of them'}.
    </div>
  );
}
