import { useState } from 'preact/hooks';
import { permitted } from '../api/client.js';
import type { ChangeRequest } from '../api/types.js';
import { byEnvironment } from '../deployments/protected.js';
import { Button } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import type { Names } from '../parts/useNames.js';
import { useMay, useSession } from '../shell/session.js';
import { NewRequest } from './newRequest.js';

interface AskAgainProps {
  readonly request: ChangeRequest;
  readonly names: Names;
}

/** For a request that was rejected or closed, which stays so: another one for the same, with the same words, to be changed first. */
export function AskAgain({ request, names }: AskAgainProps) {
  const { api } = useSession();
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const { value: protections } = useLoaded(
    async (signal) => (isAsking ? permitted(api.all('GET /logic/protections', {}, signal), []) : null),
    [api, isAsking],
  );
  const { state, environmentId, title, message, changes } = request;
  const [{ type, decisionId, version } = {}, ...others] = changes;
  const isEnded = state === 'REJECTED' || state === 'CLOSED';
  // The form asks for one version.
  if (!isEnded || !may('change:write') || type !== 'deploy' || others.length > 0) return null;
  return (
    <div class="actions">
      <Button name="Ask again" onClick={() => setAsking(true)} />
      {isAsking && protections !== null && (
        <NewRequest
          {...{ names, environmentId, title, message }}
          {...(decisionId !== undefined && version !== undefined ? { decisionId, version } : {})}
          protections={byEnvironment(protections)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
