import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { Shown } from '../parts/small.js';
import { linesOf } from '../parts/linesOf.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';

/** The hosts that function nodes may call in this environment. */
export function Hosts({ environmentId }: { readonly environmentId: string }) {
  const { api } = useSession();
  const loaded = useLoaded(
    (signal) => api.ask('GET /logic/environments/{id}/hosts', { id: environmentId }, signal),
    [api, environmentId],
  );
  return (
    <section class="panel" aria-label="Hosts">
      <h2>Hosts</h2>
      <p class="soft">Function nodes call these alone, by HTTPS; none where the list is empty.</p>
      <Shown loaded={loaded}>
        {({ hosts }) => <HostsForm environmentId={environmentId} hosts={hosts} onSaved={loaded.reload} />}
      </Shown>
    </section>
  );
}

interface HostsFormProps {
  readonly environmentId: string;
  readonly hosts: readonly string[];
  readonly onSaved: () => void;
}

function HostsForm({ environmentId, hosts, onSaved }: HostsFormProps) {
  const { api } = useSession();
  const [text, setText] = useState(hosts.join('\n'));
  const [failure, setFailure] = useState<unknown>(null);
  const [status, setStatus] = useState('');
  const save = async (): Promise<void> => {
    setFailure(null);
    setStatus('');
    const lines = linesOf(text);
    try {
      await api.ask('PUT /logic/environments/{id}/hosts', { id: environmentId, body: { hosts: lines } });
      // What was typed since the request left stays.
      setText((typed) => (typed === text ? lines.join('\n') : typed));
      setStatus('Saved.');
      onSaved();
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
      <p role="status">{status}</p>
    </form>
  );
}
