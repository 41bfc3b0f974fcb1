import { useState } from 'preact/hooks';
import type { Environment, Protection } from '../api/types.js';
import { needsOf } from '../deployments/protected.js';
import { Dialog } from '../parts/dialog.js';
import { TextField, Tick } from '../parts/entries.js';
import { useSession } from '../shell/session.js';

interface ProtectDialogProps {
  readonly environment: Environment;
  /** Null where it is not protected yet. */
  readonly protection: Protection | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const none: Protection = {
  approvals: 1,
  authorMayApprove: false,
  requires: { tests: true, analysis: false, replay: null, coverage: null },
  override: false,
};

/** Says what a change of an environment needs, and in words what that means. */
export function ProtectDialog({ environment, protection, onClose, onDone }: ProtectDialogProps) {
  const { api } = useSession();
  const [wanted, setWanted] = useState(protection ?? none);
  const { approvals, authorMayApprove, requires, override } = wanted;
  const put = (more: Partial<Protection>): void => setWanted({ ...wanted, ...more });
  const require = (more: Partial<Protection['requires']>): void => put({ requires: { ...requires, ...more } });
  const tick = (name: string, checked: boolean, onChange: (checked: boolean) => void) => (
    <Tick {...{ name, checked, onChange }} />
  );
  return (
    <Dialog
      title={`Protect ${environment.name}`}
      action={protection === null ? 'Protect' : 'Save'}
      onClose={onClose}
      onSubmit={async () => {
        await api.ask('PUT /logic/environments/{id}/protection', { id: environment.id, body: wanted });
        onDone();
      }}
    >
      <label>
        Approvals
        <select value={approvals} onChange={({ currentTarget }) => put({ approvals: Number(currentTarget.value) })}>
          {[1, 2, 3, 4, 5].map((number) => (
            <option key={number} value={number}>
              {number}
            </option>
          ))}
        </select>
      </label>
      {tick('Who asked, or wrote what is asked for, may approve', authorMayApprove, (on) =>
        put({ authorMayApprove: on }),
      )}
      <fieldset class="choices">
        <legend>Checks</legend>
        {tick('The tests of the model pass', requires.tests, (on) => require({ tests: on }))}
        {tick('Nothing wrong with its tables is proved', requires.analysis, (on) => require({ analysis: on }))}
        {tick('Its tests reach enough of its rows', requires.coverage !== null, (on) =>
          require({ coverage: on ? 0.9 : null }),
        )}
        {requires.coverage !== null && (
          <TextField
            name="Percent of the rows"
            type="number"
            min={0}
            max={100}
            required
            value={Number((100 * requires.coverage).toFixed(1))}
            onChange={(text) => require({ coverage: Number(text) / 100 })}
          />
        )}
        {tick('A replay of past executions gives what is agreed', requires.replay !== null, (on) =>
          require({ replay: on ? 'changed <= 0.5%' : null }),
        )}
        {requires.replay !== null && (
          <TextField
            name="What the replay must keep"
            required
            maxLength={64}
            value={requires.replay}
            onChange={(text) => require({ replay: text })}
          />
        )}
      </fieldset>
      {tick('In an emergency it may be applied without approval, with a reason', override, (on) =>
        put({ override: on }),
      )}
      <p class="note">
        What runs in {environment.name} changes by a request then, which needs {needsOf(wanted).join(', ')}. Going back
        to what was in force there before needs none.
      </p>
    </Dialog>
  );
}

/** Everybody who may deploy changes the environment directly from then on. */
export function UnprotectDialog({ environment, onClose, onDone }: Omit<ProtectDialogProps, 'protection'>) {
  const { api } = useSession();
  return (
    <Dialog
      title={`Protect ${environment.name} no more?`}
      action={`Protect ${environment.name} no more`}
      onClose={onClose}
      onSubmit={async () => {
        await api.ask('DELETE /logic/environments/{id}/protection', { id: environment.id });
        onDone();
      }}
    >
      <p>Whoever may deploy changes what runs there at once then, and nobody has to approve it.</p>
    </Dialog>
  );
}
