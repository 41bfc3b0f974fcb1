import { setHosts } from '#openapi/forms.gen.js';
import { Field, PageForm } from '../parts/form.js';
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
        )}
      </Shown>
    </Panel>
  );
}
