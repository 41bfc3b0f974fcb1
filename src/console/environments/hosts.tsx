import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { Shown } from '../parts/small.js';
import { linesOf } from '../parts/linesOf.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';

/** The hosts that function nodes may call in this environment. */
export function Hosts({ environmentId }: { readonly environmentId: string }) {
  const { api } = useSession();
  // The form begins anew with what was saved, and what it said would be gone.
  const [told, setTold] = useState('');
  const loaded = useLoaded((signal) => api.hosts(environmentId, signal), [api, environmentId]);
  return (
    <section class="panel" aria-label="Hosts">
      <h2>Hosts</h2>
      <p class="soft">Function nodes call these alone, by HTTPS; none where the list is empty.</p>
      <Shown loaded={loaded}>
        {({ hosts }) => (
          <HostsForm
            key={hosts.join()}
            environmentId={environmentId}
            hosts={hosts}
            onSave={() => setTold('')}
            onDone={() => {
              setTold('Saved.');
              loaded.reload();
            }}
          />
        )}
      </Shown>
      <p role="status">{told}</p>
    </section>
  );
}

interface HostsFormProps {
  readonly environmentId: string;
  readonly hosts: readonly string[];
  readonly onSave: () => void;
  readonly onDone: () => void;
}

function HostsForm({ environmentId, hosts, onSave, onDone }: HostsFormProps) {
  const { api } = useSession();
  const [text, setText] = useState(hosts.join('\n'));
  const [failure, setFailure] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    setFailure(null);
    onSave();
    try {
      await api.setHosts(environmentId, linesOf(text));
      onDone();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        Hosts, one a line
        <textarea
          rows={Math.max(3, Math.min(12, hosts.length + 1))}
          value={text}
          spellcheck={false}
          placeholder="rates.example.com"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {failure !== null && <Failure error={failure} />}
      <div class="actions">
        <button disabled={text === hosts.join('\n')}>Save hosts</button>
      </div>
    </form>
  );
}
