import { PageFrame, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { Desk } from './desk.js';

/** The author's desk of one decision's working copy. */
export function DeskPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const loaded = useLoaded(
    async (signal) => {
      const [{ decision, tag }, { content }] = await Promise.all([
        api.decisionWithTag(id, signal),
        api.version(id, 0, signal),
      ]);
      return { decision, tag, content };
    },
    // Not again for another token: what is drawn meanwhile would be lost.
    [id],
  );
  const { value } = loaded;
  if (value !== null) return <Desk key={value.tag} stored={value} onReload={loaded.reload} />;
  return (
    <PageFrame title="Edit">
      <Shown loaded={loaded}>{() => null}</Shown>
    </PageFrame>
  );
}
