import { useEffect, useState } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { Failure } from '../parts/failure.js';
import { loadPart } from '../parts/loadPart.js';
import { PageFrame, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import type { DeskProps } from './desk.js';

/** The author's desk of one decision; its script is loaded with it, and not before. */
export function DeskPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const [part, setPart] = useState<{ readonly Desk: ComponentType<DeskProps> } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    loadPart(import('./desk.js')).then(({ Desk }) => setPart({ Desk }), setFailure);
  }, []);
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
  if (part !== null && loaded.value !== null) {
    return <part.Desk key={loaded.value.tag} stored={loaded.value} onReload={loaded.reload} />;
  }
  return (
    <PageFrame title="Edit">
      {failure === null ? (
        <Shown loaded={loaded}>{() => <p class="soft">Loading …</p>}</Shown>
      ) : (
        <Failure error={failure} />
      )}
    </PageFrame>
  );
}
