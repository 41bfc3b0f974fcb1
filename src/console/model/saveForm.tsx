import { useState } from 'preact/hooks';
import type { Decision, Fault, Model } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { count, versionName } from '../parts/small.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';

interface SaveFormProps {
  readonly decision: Decision;
  readonly tag: string | null;
  readonly draft: Model;
  readonly isDirty: boolean;
  readonly faults: readonly Fault[];
  readonly onSaved: () => void;
}

/** Stores the draft as the working copy, and on demand as a version, with a message. */
export function SaveForm({ decision, tag, draft, isDirty, faults, onSaved }: SaveFormProps) {
  const { api } = useSession();
  const [message, setMessage] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const save = async (asVersion: boolean): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      // A model with errors is kept as a working copy, which nothing runs unless somebody deploys working copies.
      if (isDirty) await api.updateDecision(decision.id, draft, { force: errors > 0 && !asVersion, tag });
      if (asVersion) await api.saveVersion(decision.id, message.trim());
      onSaved();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <form
      class="save"
      aria-label="Save"
      onSubmit={(event) => {
        event.preventDefault();
        void save(true);
      }}
    >
      <label>
        Message
        <input
          value={message}
          maxLength={4000}
          placeholder="what changed, and why"
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
      </label>
      <button class="primary" disabled={busy || errors > 0}>
        Save version
      </button>
      <button type="button" disabled={busy || !isDirty} onClick={() => void save(false)}>
        Keep as working copy
      </button>
      <span class="soft" role="status">
        {isDirty ? 'Changed, not saved. ' : ''}
        {errors > 0 && `${count(errors, 'error')}: no version can be saved. `}
        {decision.latestVersion !== null && (
          <>
            Newest:{' '}
            <Link to={`/decisions/${decision.id}?version=${decision.latestVersion}`}>
              {versionName(decision.latestVersion)}
            </Link>{' '}
            <Link to={`/decisions/${decision.id}/compare?from=${decision.latestVersion}&to=0`}>What changed since</Link>
          </>
        )}
      </span>
      {failure !== null && <Failure error={failure} />}
    </form>
  );
}
