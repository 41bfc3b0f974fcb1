import { decisionName } from '../../decisions/decisionName.js';
import { setMeasured } from '#openapi/forms.gen.js';
import { useMemo } from 'preact/hooks';
import { permitted } from '../api/client.js';
import type { Deployment, Environment, Measurements, Monitor, Replay } from '../api/types.js';
import { readRouted } from '../deployments/inForce.js';
import { Choice } from '../parts/entries.js';
import { Field, PageForm } from '../parts/form.js';
import { Button, PageFrame, Shown, percentOf, Time } from '../parts/small.js';
import { useSchemas } from '../facts/useFact.js';
import { useLoaded } from '../parts/useLoaded.js';
import { placeText } from '../parts/values.js';
import { Link, useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { Bars, ByStep, versionParts } from './bars.js';
import { csvOf } from './csv.js';
import { answerParts, textOf } from './sums.js';
import { Monitors } from './monitors.js';
import { resultFields } from './resultFields.js';
import { Table, type Column } from '../parts/table.js';

const hourMs = 3_600_000;
/** How far back each step goes. */
const reach = { hour: 24 * hourMs, day: 30 * 24 * hourMs };

interface Seen {
  readonly measurements: Measurements;
  readonly deployments: readonly Deployment[];
  readonly monitors: readonly Monitor[];
  /** Where it can be watched. */
  readonly environments: readonly Environment[];
  /** The newest of the decision that held results against outcomes. */
  readonly replay: Replay | undefined;
}

/** The outcomes of one decision. */
export function OutcomesPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { value } = useLoaded((signal) => api.ask('GET /logic/decisions/{id}', { id }, signal), [api, id]);
  return (
    <PageFrame
      title={value === null ? 'Outcomes' : `Outcomes of ${decisionName(value.key)}`}
      actions={<Link name="Model" class="button" to={`/decisions/${id}`} />}
    >
      <Outcomes id={id} />
    </PageFrame>
  );
}

/** What a decision answered, by version and hour, what watches it, and what became of its results. */
function Outcomes({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const step = query.get('step') === 'day' ? 'day' : 'hour';
  const pointer = query.get('field');
  const environmentId = query.get('environment');
  const loaded = useLoaded(
    async (signal): Promise<Seen> => {
      const from = new Date(Date.now() - reach[step]).toISOString();
      const [measurements, deployments, monitors, replays, environments] = await Promise.all([
        api.ask('GET /logic/measures', { decisionId: id, environmentId, step, from, pointer }, signal),
        permitted(readRouted(api, signal), []),
        api.all('GET /logic/monitors', {}, signal),
        permitted(api.ask('GET /logic/replays', { size: 50, order: 'desc' }, signal), null),
        permitted(api.all('GET /logic/environments', {}, signal), []),
      ]);
      return {
        measurements,
        deployments: deployments.filter(
          (each) =>
            each.decisionId === id && each.createdAt >= from && [null, each.environmentId].includes(environmentId),
        ),
        monitors: monitors.filter(({ decisionId }) => decisionId === id),
        environments,
        replay: replays?.data.find(({ request, report }) => request.decisionId === id && report.outcomes !== undefined),
      };
    },
    [api, id, step, pointer, environmentId],
  );
  return (
    <div class="stack">
      <div class="actions">
        <Choice
          name="Time"
          value={step}
          options={[
            ['hour', 'the last day, by hour'],
            ['day', '30 days, by day'],
          ]}
          onChange={(chosen) => setQuery({ step: chosen }, true)}
          isInline
        />
        {loaded.value !== null && (
          <>
            <Choice
              name="Environment"
              value={environmentId ?? ''}
              options={[
                ['', 'all of them together'],
                ...loaded.value.environments.map(({ id, name }) => [id, name] as const),
              ]}
              onChange={(chosen) => setQuery({ environment: chosen || null }, true)}
              isInline
            />
            <Choice
              name="Field"
              value={pointer ?? ''}
              options={[
                ['', 'none'],
                ...loaded.value.measurements.measured.map((each) => [each, placeText(each)] as const),
              ]}
              onChange={(field) => setQuery({ field: field || null }, true)}
              isInline
            />
          </>
        )}
        <Button name="Refresh" onClick={loaded.reload} />
      </div>
      <Shown loaded={loaded}>{(seen) => <Measured seen={seen} pointer={pointer} onChanged={loaded.reload} />}</Shown>
    </div>
  );
}

interface MeasuredProps {
  readonly seen: Seen;
  readonly pointer: string | null;
  readonly onChanged: () => void;
}

function Measured({ seen, pointer, onChanged }: MeasuredProps) {
  const { measurements, deployments, monitors, environments, replay } = seen;
  const { decisionId, measured, data } = measurements;
  const output = useSchemas(decisionId, 0, null)?.output;
  const choices = useMemo(() => resultFields(output), [output]);
  const csv = useMemo(() => `data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(measurements))}`, [measurements]);
  return (
    <>
      {data.length === 0 ? (
        <p class="empty">Nothing was executed in this time, or it was not counted yet.</p>
      ) : (
        <>
          <Bars title="Executions by version" {...{ measurements, deployments }} partsOf={versionParts} />
          {pointer !== null && (
            <Bars title={`Answers at ${placeText(pointer)}`} {...{ measurements, deployments }} partsOf={answerParts} />
          )}
          <ByStep measurements={measurements} />
          <p>
            <a class="button" href={csv} download="measures.csv">
              CSV
            </a>
          </p>
        </>
      )}
      <h2>What is measured</h2>
      {/* None is counted at first: they may be about people. */}
      <PageForm
        key={decisionId}
        operation={setMeasured}
        given={{ id: decisionId }}
        first={{ pointers: [...measured] }}
        defaults={() => ({ pointers: [] })}
        action="Measure"
        isInline
        onDone={onChanged}
      >
        {choices.length > 0 && <Field at="pointers" label="Fields of its results" options={choices} />}
        <Field at="pointers" label="Measured fields" placeholder="/decision /rate" hint="" spellcheck={false} isLine />
      </PageForm>
      <Monitors {...{ decisionId, monitors, environments, measured, onChanged }} />
      {replay !== undefined && (
        <>
          <h2>What became of it</h2>
          <ReplayOutcomes replay={replay} />
        </>
      )}
    </>
  );
}

type Outcome = NonNullable<Replay['report']['outcomes']>[number];

const columns: readonly Column<Outcome['table'][number]>[] = [
  ['Outcome', ({ hash, outcome }) => (hash === undefined ? textOf(outcome) : 'what few executions had')],
  ['Before', ({ before }) => before !== undefined && textOf(before)],
  ['After', ({ after }) => after !== undefined && textOf(after)],
  ['Cases', ({ count }) => count, 'number'],
];

/** What the newest replay that held results against outcomes found. */
const ReplayOutcomes = ({ replay: { id, report, createdAt } }: { readonly replay: Replay }) => (
  <section aria-label="Outcomes of the last replay" class="stack">
    <p>
      <Link to={`/replays/${id}`}>The last replay</Link> with outcomes, of <Time at={createdAt} />:
    </p>
    {(report.outcomes ?? []).map(({ name, known, unknown, table, before, after }) => (
      <div key={name} class="stack">
        <p>
          <b>{name}</b>: known of {known}, unknown of {unknown}. Precision {percent(before.precision)} before,{' '}
          {percent(after.precision)} after; recall {percent(before.recall)} before, {percent(after.recall)} after.
        </p>
        <Table label={`Outcomes: ${name}`} columns={columns} rows={table} />
      </div>
    ))}
  </section>
);

const percent = (share: number | null): string => (share === null ? 'unknown' : `${percentOf(share)} %`);
