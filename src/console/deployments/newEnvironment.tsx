import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
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
        await api.createEnvironment(name.trim());
        onMade();
      }}
    >
      <label>
        Name
        <input
          value={name}
          required
          maxLength={255}
          placeholder="Production"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
