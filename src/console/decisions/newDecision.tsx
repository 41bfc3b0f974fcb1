import { useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';

/** What a new decision begins with: it runs, and gives back what it gets. */
const beginning: Model = {
  nodes: [
    { id: 'request', type: 'inputNode', name: 'Request', position: { x: 60, y: 120 }, content: {} },
    { id: 'response', type: 'outputNode', name: 'Response', position: { x: 560, y: 120 }, content: {} },
  ],
  edges: [{ id: 'first', sourceId: 'request', targetId: 'response' }],
};

/** Makes a decision with a working copy and opens it for editing. */
export function NewDecision({ onClose }: { readonly onClose: () => void }) {
  const { api } = useSession();
  const { go } = useRouter();
  const [key, setKey] = useState('');
  return (
    <Dialog
      title="New decision"
      action="Create"
      onClose={onClose}
      onSubmit={async () => {
        const { id } = await api.createDecision(key.trim(), beginning);
        go(`/decisions/${id}/edit`);
      }}
    >
      <label>
        Key
        <input
          value={key}
          required
          maxLength={512}
          placeholder="shop/discount.json"
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
