import { useState } from 'preact/hooks';
import type { Decision, Environment } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, TextField } from '../parts/entries.js';
import { useLoaded } from '../parts/useLoaded.js';
import { stateOptions } from '../parts/versionOptions.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';

interface Preset {
  readonly decisionId: string | null;
  readonly version: number | null;
}

interface StartReplayProps {
  readonly decisions: readonly Decision[];
  readonly environments: readonly Environment[];
  /** What a link asked for. */
  readonly preset: Preset;
  readonly onClose: () => void;
}

/** Which executions, by when they were recorded: of the last so many days. */
const spans = [
  ['1', 'in the last day'],
  ['7', 'in the last 7 days'],
  ['30', 'in the last 30 days'],
  ['all', 'at any time'],
  ['between', 'between two times'],
] as const;

const dayMs = 86_400_000;

function timesOf(span: string, from: string, to: string): { readonly from?: string; readonly to?: string } {
  if (span === 'all') return {};
  if (span !== 'between') return { from: new Date(Date.now() - Number(span) * dayMs).toISOString() };
  const moment = (text: string): string => new Date(text).toISOString();
  return { ...(from === '' ? {} : { from: moment(from) }), ...(to === '' ? {} : { to: moment(to) }) };
}

const aggregates = ['mean', 'sum', 'count', 'min', 'max', 'share'] as const;

/** Asks which recorded executions are to be run again, on which version. */
export function StartReplay({ decisions, environments, preset, onClose }: StartReplayProps) {
  const { api } = useSession();
  const { go } = useRouter();
  const [decisionId, setDecision] = useState(preset.decisionId ?? decisions[0]?.id ?? '');
  const [environmentId, setEnvironment] = useState(environments[0]?.id ?? '');
  const [version, setVersion] = useState(preset.version ?? 0);
  const [span, setSpan] = useState<string>('30');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [limit, setLimit] = useState('10000');
  const [ignore, setIgnore] = useState('');
  const [measure, setMeasure] = useState('');
  const [aggregate, setAggregate] = useState<(typeof aggregates)[number]>('mean');
  const versions = useLoaded(
    (signal) => api.all('GET /logic/decisions/{id}/versions', { id: decisionId }, signal),
    [api, decisionId],
  );
  return (
    <Dialog
      title="Start a replay"
      action="Start"
      onClose={onClose}
      onSubmit={async () => {
        const pointers = ignore.split(/\s+/).filter((pointer) => pointer !== '');
        const { id } = await api.ask('POST /logic/replays', {
          body: {
            decisionId,
            environmentId,
            candidate: { version },
            limit: Number(limit),
            ...timesOf(span, from, to),
            ...(pointers.length === 0 ? {} : { ignore: pointers }),
            ...(measure.trim() === ''
              ? {}
              : { measures: [{ name: `${aggregate} of ${measure}`.slice(0, 255), expression: measure, aggregate }] }),
          },
        });
        go(`/replays/${id}`);
      }}
    >
      <Choice
        name="Decision"
        value={decisionId}
        options={decisions.map(({ id, key }) => [id, decisionName(key)])}
        onChange={setDecision}
      />
      <Choice
        name="Environment"
        value={environmentId}
        options={environments.map(({ id, name }) => [id, name])}
        onChange={setEnvironment}
      />
      <Choice name="Candidate" value={version} options={stateOptions(versions.value ?? [])} onChange={setVersion} />
      <Choice<string> name="Recorded" value={span} options={spans} onChange={setSpan} />
      {span === 'between' && (
        <div class="columns">
          <Moment label="From" value={from} onValue={setFrom} />
          <Moment label="To" value={to} onValue={setTo} />
        </div>
      )}
      <TextField
        name="At most, the newest of them"
        type="number"
        min={1}
        max={100000}
        required
        value={limit}
        onChange={setLimit}
      />
      <TextField name="Ignore these places" value={ignore} placeholder="/at /items/*/id" onChange={setIgnore} />
      <TextField name="Measure" value={measure} placeholder="result.rate" onChange={setMeasure} />
      <Choice
        name="Measured by"
        value={aggregate}
        options={aggregates.map((name) => [name, name])}
        onChange={setAggregate}
      />
    </Dialog>
  );
}

interface MomentProps {
  readonly label: string;
  /** In the reader's own time. */
  readonly value: string;
  readonly onValue: (value: string) => void;
}

const Moment = ({ label, value, onValue }: MomentProps) => (
  <TextField name={label} type="datetime-local" value={value} onChange={onValue} />
);
