import { createClientSecret } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import type { Client } from '../api/types.js';
import { Copied } from '../parts/copied.js';
import { Dialog } from '../parts/dialog.js';
import { Tick } from '../parts/entries.js';
import { FormDialog } from '../parts/form.js';
import { Fact } from '../parts/small.js';

interface NewSecretDialogProps {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
}

/** Asks before it makes a new secret. */
export const NewSecretDialog = ({ client: { id, name }, onClose, onMade }: NewSecretDialogProps) => (
  <FormDialog
    operation={createClientSecret}
    given={{ id }}
    title={`New secret for ${name}`}
    action="Make a new secret"
    onDone={({ secret }) => onMade(secret)}
    onClose={onClose}
  >
    <p>The present secret works for 24 hours more; any older one stops at once.</p>
  </FormDialog>
);

interface SecretDialogProps extends Pick<NewSecretDialogProps, 'client' | 'onClose'> {
  readonly secret: string;
}

/** A secret, this once. */
export function SecretDialog({ client, secret, onClose }: SecretDialogProps) {
  const [isKept, setKept] = useState(false);
  return (
    <Dialog title={`Secret of ${client.name}`} action="Done" cancel={null} onClose={onClose}>
      <p role="status">It is shown this once, and cannot be read again.</p>
      <dl class="facts">
        <Fact name="Client id">
          <Copied text={client.id} name="client id" />
        </Fact>
        <Fact name="Secret">
          <Copied text={secret} name="secret" />
        </Fact>
      </dl>
      <Tick name="I have kept it" required checked={isKept} onChange={setKept} />
    </Dialog>
  );
}
