import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/entries.js';
import { useSession } from '../shell/session.js';

interface NewEnvironmentProps {
  readonly onClose: () => void;
  readonly onMade: () => void;
}

export function NewEnvironment({ onClose, onMade }: NewEnvironmentProps) {
  const { api } = useSession();
  const [name, setName] = useState('');
  return (
    <Dialog
      title="New environment"
      action="Create"
      onClose={onClose}
      onSubmit={async () => {
        await api.ask('POST /logic/environments', { body: { name: name.trim() } });
        onMade();
      }}
    >
      <TextField name="Name" value={name} required maxLength={255} placeholder="Production" onChange={setName} />
    </Dialog>
  );
}
