import { useState } from 'preact/hooks';
import type { ChangeRequest } from '../api/types.js';
import { Json } from '../parts/json.js';
import { Button, Section, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';

const tones = { PASSED: 'good', FAILED: 'bad', PENDING: '' } as const;

/** What the protection asks for, how it came out, and what was found. */
export function Checks({ request }: { readonly request: ChangeRequest }) {
  const [isOpen, setOpen] = useState(false);
  if (request.checks.length === 0) return null;
  return (
    <Section label="Checks">
      <ul>
        {request.checks.map(({ name, state, detail, replayId }, index) => (
          <li key={index}>
            {name} <span class={`mark ${tones[state]}`}>{state}</span> {detail}{' '}
            {replayId !== undefined && <Link to={`/replays/${replayId}`}>Replay</Link>}
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button name="Reports" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      </div>
      {isOpen && <Reports key={request.updatedAt} id={request.id} />}
    </Section>
  );
}

function Reports({ id }: { readonly id: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.ask('GET /logic/change-requests/{id}/reports', { id }, signal), [api, id]);
  return (
    <Shown loaded={loaded}>
      {({ reports }) =>
        reports.map(({ name, report }, index) => <Json key={index} value={report} label={`Report of ${name}`} />)
      }
    </Shown>
  );
}
