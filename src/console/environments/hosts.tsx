import { setHosts } from '#openapi/forms.gen.js';
import { Field, PageForm } from '../parts/form.js';
import { May } from '../parts/may.js';
import { Panel, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';

/** The hosts that function nodes may call in this environment. */
export function Hosts({ environmentId: id }: { readonly environmentId: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.ask('GET /logic/environments/{id}/hosts', { id }, signal), [api, id]);
  return (
    <Panel label="Hosts">
      <p class="soft">Function nodes call these alone, by HTTPS; none where the list is empty.</p>
      <Shown loaded={loaded}>
        {({ hosts }) => (
          <May to="variable:write" otherwise={<Listed hosts={hosts} />}>
            <PageForm
              operation={setHosts}
              given={{ id }}
              first={{ hosts }}
              defaults={() => ({ hosts: [] })}
              action="Save hosts"
              onDone={loaded.reload}
            >
              <Field at="hosts" label="Hosts, one a line" placeholder="rates.example.com" spellcheck={false} />
            </PageForm>
          </May>
        )}
      </Shown>
    </Panel>
  );
}

const Listed = ({ hosts }: { readonly hosts: readonly string[] }) =>
  hosts.length === 0 ? (
    <p>None.</p>
  ) : (
    <ul>
      {hosts.map((host) => (
        <li key={host}>{host}</li>
      ))}
    </ul>
  );
