import { useRef, useState } from 'preact/hooks';
import type { Fault } from '../api/types.js';
import { sent } from '../parts/entries.js';
import { Failure, lazy } from '../parts/failure.js';
import { Button, count, versionName } from '../parts/small.js';
import { Link } from '../shell/address.js';
import { Over } from './over.js';
import type { Draft } from './useDraft.js';
import { type Saving, isConflict } from './useSaving.js';
import { useVersion } from './useVersion.js';

// Where something speaks against a version, or it has no message.
const Conflict = lazy(async () => (await import('./dialogParts.js')).Conflict);
const RunsNote = lazy(async () => (await import('./dialogParts.js')).RunsNote);
const VersionDialog = lazy(async () => (await import('./dialogParts.js')).VersionDialog);

interface SaveFormProps {
  readonly draft: Draft;
  readonly saving: Saving;
  readonly faults: readonly Fault[];
  /** Begins again from what the service has. */
  readonly onReload: () => void;
}

/** Stores the draft as the working copy, and on demand as a version, with a message. */
export function SaveForm({ draft, saving, faults, onReload }: SaveFormProps) {
  const { decision } = draft.stored;
  const [message, setMessage] = useState('');
  const version = useVersion(draft, saving);
  /** As the page was opened: what is another one by now was saved here. */
  const first = useRef(draft.stored);
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const { failure, dismiss } = saving;
  const isSaved = !draft.isDirty && draft.stored !== first.current;
  const { runs } = version;
  // The dialog is beside the form, and not in it: what it submits is its own.
  return (
    <>
      <form
        class="save"
        aria-label="Save"
        onSubmit={sent(() => {
          version.save(message).then(
            (isSaved) => isSaved && setMessage(''),
            // It is told below.
            () => undefined,
          );
        })}
      >
        <label class={version.doubts === null ? '' : 'unseen'}>
          Message
          <input
            value={message}
            maxLength={4000}
            placeholder="what changed, and why"
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        </label>
        <button class="primary" disabled={saving.isBusy || version.isBusy || errors > 0}>
          Save version
        </button>
        <Button
          name="Keep as working copy"
          title="Ctrl+S"
          disabled={saving.isBusy || !draft.isDirty}
          onClick={() => void saving.keep().catch(() => undefined)}
        />
        <span class="soft" role="status">
          {draft.isDirty ? 'Changed, not saved. ' : isSaved ? 'Saved. ' : ''}
          {draft.isDirty && !draft.isKept && 'This browser has no room to keep it. '}
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
        {failure === null && isSaved && runs.length > 0 && (
          <Over onClose={version.hideRuns} isBrief>
            <RunsNote version={decision.latestVersion} runs={runs} />
          </Over>
        )}
        {failure !== null && (
          <Over onClose={dismiss}>
            {saving.isTriedAgain && (
              <p>
                <b>Not saved yet.</b> It is tried again by itself until it is; this browser keeps what you typed
                meanwhile.
              </p>
            )}
            {!isConflict(failure) && <Failure error={failure} />}
            {isConflict(failure) && <Conflict {...{ draft, onReload }} onDone={dismiss} />}
          </Over>
        )}
      </form>
      {version.doubts !== null && (
        <VersionDialog
          decision={draft.stored.decision}
          doubts={version.doubts}
          message={message}
          onSave={async (text) => {
            await version.store(text);
            setMessage('');
          }}
          onClose={version.close}
        />
      )}
    </>
  );
}
