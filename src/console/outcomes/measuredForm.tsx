import { useState } from 'preact/hooks';
import { TextField } from '../parts/entries.js';
import { Failure } from '../parts/failure.js';
import { useSession } from '../shell/session.js';

interface MeasuredFormProps {
  readonly decisionId: string;
  readonly measured: readonly string[];
  readonly onChanged: () => void;
}

/** Which fields of results are counted: none at first, as they may be about people. */
export function MeasuredForm({ decisionId, measured, onChanged }: MeasuredFormProps) {
  const { api } = useSession();
  const [text, setText] = useState(measured.join(' '));
  const [failure, setFailure] = useState<unknown>(null);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setFailure(null);
    try {
      await api.ask('PUT /logic/decisions/{id}/measured', {
        id: decisionId,
        body: { pointers: text.split(/\s+/).filter((pointer) => pointer !== '') },
      });
      onChanged();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <form class="inline-form" onSubmit={(event) => void save(event)}>
      <TextField
        name="Measured fields"
        value={text}
        onChange={setText}
        placeholder="/decision /rate"
        spellcheck={false}
      />
      <button type="submit">Measure</button>
      {failure !== null && <Failure error={failure} />}
    </form>
  );
}
