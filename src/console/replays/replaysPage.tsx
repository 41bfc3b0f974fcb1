import { decisionName } from '../../decisions/decisionName.js';
import { useMemo, useState } from 'preact/hooks';
import type { Decision, Environment, Replay } from '../api/types.js';
import { List, localText } from '../parts/list.js';
import { May, useSession } from '../shell/session.js';
import { Button, EnvironmentMark, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { permitted } from '../api/client.js';
import type { Reply } from '../api/operations.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useNames, type Names } from '../parts/useNames.js';
import { Link, useRouter } from '../shell/address.js';
import { ReplayStatus } from './report.js';
import { createReplay } from '#openapi/forms.gen.js';
import { Choice, TextField } from '../parts/entries.js';
import { useSchemas } from '../facts/useFact.js';
import { resultFields } from '../outcomes/resultFields.js';
import { expressionOf } from './expressionOf.js';
import { Field, FormDialog, useField } from '../parts/form.js';
import { VersionField } from '../parts/versionField.js';

const columnsOf = ({ keyOf, environmentOf }: Names): readonly Column<Replay>[] => [
  [
    'Started',
    ({ id, createdAt }) => (
      <Link to={`/replays/${id}`}>
        <Time at={createdAt} />
      </Link>
    ),
  ],
  ['Decision', ({ request: { decisionId } }) => <Link to={`/decisions/${decisionId}`}>{keyOf(decisionId)}</Link>],
  [
    'Candidate',
    ({ request: { decisionId, candidate } }) => (
      <Link to={`/decisions/${decisionId}?version=${candidate.version}`}>{versionName(candidate.version)}</Link>
    ),
  ],
  ['Environment', ({ request }) => <EnvironmentMark environment={environmentOf(request.environmentId)} />],
  ['State', (replay) => <ReplayStatus replay={replay} />],
  ['Changed', ({ id, report }) => <Link to={`/replays/${id}`}>{report.changed}</Link>, 'number'],
];

/** What would change: recorded executions, run again on another version. */
export function ReplaysPage() {
  const { query, setQuery } = useRouter();
  // A link from a decision's page starts one of that decision, and one from a shadow's of what the shadow ran.
  const preset = {
    decisionId: query.get('decision'),
    version: query.has('version') ? Number(query.get('version')) : null,
    environmentId: query.get('environment'),
    from: query.get('from'),
  };
  const [isStarting, setStarting] = useState(preset.decisionId !== null);
  const named = useNames();
  const { api } = useSession();
  const routed = useLoaded(
    (signal) => (isStarting ? permitted(api.all('GET /logic/routings', {}, signal), []) : Promise.resolve([])),
    [api, isStarting],
  );
  return (
    <PageFrame
      title="Replays"
      actions={
        <May to="replay:write">
          <Button name="Start a replay" class="primary" onClick={() => setStarting(true)} />
        </May>
      }
    >
      <Shown loaded={named}>
        {(names) => (
          <>
            <List
              label="Replays"
              route="GET /logic/replays"
              query={{ order: 'desc' }}
              columns={columnsOf(names)}
              empty="No replay yet. Start one before you deploy: it runs recorded facts on the new version, and tells what would change."
            />
            {isStarting && !routed.loading && (
              <StartReplay
                {...names}
                preset={preset}
                routings={routed.value ?? []}
                onClose={() => {
                  setStarting(false);
                  if (preset.decisionId !== null)
                    setQuery({ decision: null, version: null, environment: null, from: null }, true);
                }}
              />
            )}
          </>
        )}
      </Shown>
    </PageFrame>
  );
}

/** Which deployment of a decision an environment runs. */
type Routing = Reply<'GET /logic/routings'>['data'][number];

interface StartReplayProps {
  readonly decisions: readonly Decision[];
  readonly environments: readonly Environment[];
  /** What a link asked for. */
  readonly preset: {
    readonly decisionId: string | null;
    readonly version: number | null;
    readonly environmentId: string | null;
    readonly from: string | null;
  };
  /** What is deployed where. */
  readonly routings: readonly Routing[];
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

const aggregates = (['mean', 'sum', 'count', 'min', 'max', 'share'] as const).map((name) => [name, name] as const);
type Aggregate = (typeof aggregates)[number][0];

/** A number of a field, and of how many results it is: of what has none, it says nothing. */
function measuresOf(expression: string, aggregate: Aggregate) {
  const measure = { name: `${aggregate} of ${expression}`.slice(0, 255), expression, aggregate };
  const counted = { name: `results with ${expression}`.slice(0, 255), expression, aggregate: 'count' as const };
  return aggregate === 'count' || aggregate === 'share' ? [measure] : [measure, counted];
}

const ignoreHelp =
  'Parts of results that may differ, such as times and numbers drawn: /at is the field at, /items/*/id the id of each item.';

/** What is chosen of a measure where it is no field of the result. */
const ownMeasure = 'expression';

/** Asks which recorded executions are to be run again, on which version. */
function StartReplay({ decisions, environments, preset, routings, onClose }: StartReplayProps) {
  const { go } = useRouter();
  const first = {
    decisionId: preset.decisionId ?? decisions[0]?.id ?? '',
    candidate: { version: preset.version ?? 0 },
  };
  // Where a decision is not deployed, nothing of it is recorded.
  const environmentOf = (decisionId: string): string => {
    const isThere = (id: string): boolean =>
      routings.some((each) => each.inForce && each.decisionId === decisionId && each.environmentId === id);
    return preset.environmentId ?? (environments.find(({ id }) => isThere(id)) ?? environments[0])?.id ?? '';
  };
  const [span, setSpan] = useState<string>(preset.from === null ? '30' : 'between');
  const [from, setFrom] = useState(localText(preset.from ?? ''));
  const [to, setTo] = useState('');
  const [measure, setMeasure] = useState('');
  const [aggregate, setAggregate] = useState<Aggregate>('mean');
  return (
    <FormDialog
      operation={createReplay}
      title="Start a replay"
      action="Start"
      first={{ ...first, limit: 10_000 }}
      defaults={({ decisionId = first.decisionId }) => ({ environmentId: environmentOf(decisionId) })}
      body={({ environmentId = '', ...typed }) => ({
        ...first,
        environmentId,
        ...typed,
        ...timesOf(span, from, to),
        ...(measure.trim() === '' ? {} : { measures: measuresOf(measure, aggregate) }),
      })}
      onDone={({ id }) => go(`/replays/${id}`)}
      onClose={onClose}
    >
      {(typed) => (
        <>
          <Field at="decisionId" label="Decision" options={decisions.map(({ id, key }) => [id, decisionName(key)])} />
          <Field
            at="environmentId"
            label="Environment"
            value={typed.environmentId ?? ''}
            options={environments.map(({ id, name }) => [id, name])}
          />
          <VersionField at="candidate.version" name="Candidate" />
          <p class="soft small">The version that is tried: each recorded fact runs on it, and nothing else changes.</p>
          <Choice<string> name="Recorded" value={span} options={spans} onChange={setSpan} />
          {span === 'between' && (
            <div class="columns">
              <TextField name="From" type="datetime-local" value={from} onChange={setFrom} />
              <TextField name="To" type="datetime-local" value={to} onChange={setTo} />
            </div>
          )}
          <Field at="limit" label="At most, the newest of them" hint="" isRequired />
          <ResultParts measure={measure} onMeasure={setMeasure} />
          <Choice name="Measured by" value={aggregate} options={aggregates} onChange={setAggregate} />
          <p class="soft small">A number of each result, before and after: with mean it is the average then and now.</p>
        </>
      )}
    </FormDialog>
  );
}

/** Which places of the results of the chosen decision may differ, and what is measured of them. */
function ResultParts({ measure, onMeasure }: { readonly measure: string; readonly onMeasure: (text: string) => void }) {
  const [isOwn, setOwn] = useState(false);
  const [id, version] = [useField('decisionId').value, useField('candidate.version').value];
  const output = useSchemas(String(id), Number(version), null)?.output;
  const fields = useMemo(() => resultFields(output), [output]);
  const measures = fields.map(([pointer, name]) => [expressionOf(pointer), name] as const);
  const isField = measures.some(([expression]) => expression === measure);
  return (
    <>
      {fields.length > 0 && <Field at="ignore" label="These may differ" options={fields} />}
      <Field at="ignore" label="Ignore these places" placeholder="/at /items/*/id" hint={ignoreHelp} isLine />
      <Choice
        name="Measure"
        value={isOwn ? ownMeasure : isField ? measure : ''}
        options={[['', 'nothing'], ...measures, [ownMeasure, 'an expression …']]}
        onChange={(chosen) => {
          setOwn(chosen === ownMeasure);
          onMeasure(chosen === ownMeasure ? '' : chosen);
        }}
      />
      {isOwn && (
        <>
          <TextField name="Expression" value={measure} placeholder="result.rate" onChange={onMeasure} />
          <p class="soft small">
            <code>{"result.decision == 'refused'"}</code> with share is how many are refused; of a name with blanks it
            is <code>{'result["Interest rate"]'}</code>.
          </p>
        </>
      )}
    </>
  );
}
