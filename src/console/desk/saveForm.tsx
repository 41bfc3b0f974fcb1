import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';
import type { Decision, Fault, Model } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { count, versionName } from '../parts/small.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';

/** A decision as the service has it. */
export interface Stored {
  readonly decision: Decision;
  /** By which another's change is noticed. */
  readonly tag: string | null;
  readonly content: Model;
}

interface SaveFormProps {
  readonly stored: Stored;
  readonly isDirty: boolean;
  readonly faults: readonly Fault[];
  /** Stores the draft as the working copy. */
  readonly onKeep: () => Promise<Stored>;
  readonly onStored: (stored: Stored) => void;
  /** Begins again from what the service has. */
  readonly onReload: () => void;
}

/** Stores the draft as the working copy, and on demand as a version, with a message. */
export function SaveForm({ stored, isDirty, faults, onKeep, onStored, onReload }: SaveFormProps) {
  const { api } = useSession();
  const { decision } = stored;
  const [message, setMessage] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const save = async (asVersion: boolean): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const { tag, content } = isDirty ? await onKeep() : stored;
      if (asVersion) {
        await api.saveVersion(decision.id, { message: message.trim(), tag });
        onStored({ ...(await api.decisionWithTag(decision.id)), content });
        setMessage('');
      }
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  /** From here on the draft is a change of what the other saved. */
  const takeOver = async (): Promise<void> => {
    setFailure(null);
    try {
      const [found, { content }] = await Promise.all([api.decisionWithTag(decision.id), api.version(decision.id, 0)]);
      onStored({ ...found, content });
    } catch (error) {
      setFailure(error);
    }
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
            </Link>
          </>
        )}
      </span>
      {failure !== null && <Failure error={failure} />}
      {failure instanceof ApiError && failure.code === 'precondition_failed' && (
        <>
          <button type="button" onClick={onReload}>
            Load it anew, without my changes
          </button>
          <button type="button" onClick={() => void takeOver()}>
            Keep mine, to save it over the other
          </button>
        </>
      )}
    </form>
  );
}
