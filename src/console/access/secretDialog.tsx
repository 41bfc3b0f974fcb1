import { useState } from 'preact/hooks';
import type { Client } from '../api/types.js';
import { Copied } from '../parts/copied.js';
import { Dialog } from '../parts/dialog.js';
import { useSession } from '../shell/session.js';

interface Shown {
  readonly client: Client;
  readonly secret: string;
}

/** Asks before it makes a new secret. */
export function NewSecretDialog({
  client,
  onClose,
  onMade,
}: {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onMade: (shown: Shown) => void;
}) {
  const { api } = useSession();
  return (
    <Dialog
      title={`New secret for ${client.name}`}
      action="Make a new secret"
      onClose={onClose}
      onSubmit={async () =>
        onMade({ client, secret: (await api.ask('POST /core/v1/clients/{id}/secrets', { id: client.id })).secret })
      }
    >
      <p>The present secret works for 24 hours more; any older one stops at once.</p>
    </Dialog>
  );
}

/** A secret, this once. */
export function SecretDialog({ client, secret, onClose }: Shown & { readonly onClose: () => void }) {
  const [isKept, setKept] = useState(false);
  return (
    <Dialog
      title={`Secret of ${client.name}`}
      action="Done"
      cancel="Close"
      onClose={onClose}
      onSubmit={() => Promise.resolve()}
    >
      <p role="status">It is shown this once, and cannot be read again.</p>
      <dl class="facts">
        <div>
          <dt>Client id</dt>
          <dd>
            <Copied text={client.id} name="client id" />
          </dd>
        </div>
        <div>
          <dt>Secret</dt>
          <dd>
            <Copied text={secret} name="secret" />
          </dd>
        </div>
      </dl>
      <label class="choice">
        <input type="checkbox" required checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />I
        have kept it
      </label>
    </Dialog>
  );
}
