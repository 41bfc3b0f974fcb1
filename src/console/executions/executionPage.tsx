import { useState } from 'preact/hooks';
import type { Deployment, Execution, Explanation, VersionWithContent } from '../api/types.js';
import { ModelView } from '../graph/modelView.js';
import { ResultRegion } from '../model/resultRegion.js';
import { Action, saveFile } from '../parts/action.js';
import { May, useSession } from '../shell/session.js';
import { PageFrame, Panel, Section, Shown, versionName, EnvironmentMark, Facts, Time } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { decidedFirst } from '../graph/fields.js';
import { ValuesOrJson } from '../parts/values.js';
import { Link } from '../shell/address.js';
import { InSentences } from './inSentences.js';
import { Copied } from '../parts/copied.js';
import { Principal } from '../parts/principals.js';
import { useNames, type Names } from '../parts/useNames.js';
import { lastPart } from '../decisions/tree.js';

/** One recorded execution, and on demand how its result came about. */
export function ExecutionPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.execution(id, signal), [api, id]);
  return (
    <PageFrame title="Execution" actions={loaded.value !== null && <RunAgain execution={loaded.value} />}>
      <Shown loaded={loaded}>{(execution) => <Recorded execution={execution} />}</Shown>
    </PageFrame>
  );
}

const RunAgain = ({ execution: { id, decisionId, version } }: { readonly execution: Execution }) => (
  <May to="evaluation:write">
    <Link
      name="Run its fact again"
      class="button"
      to={`/decisions/${decisionId}?version=${version}&fact=execution:${id}`}
    />
    {version > 0 && (
      <Link
        name="Run its fact on the working copy"
        class="button"
        to={`/decisions/${decisionId}?fact=execution:${id}`}
      />
    )}
  </May>
);

interface Explained {
  readonly explanation: Explanation;
  readonly drawn: VersionWithContent;
}

function Recorded({ execution }: { readonly execution: Execution }) {
  const { api } = useSession();
  const named = useNames().value;
  const [explained, setExplained] = useState<Explained | null>(null);
  const explain = async (): Promise<void> => {
    const [explanation, drawn] = await Promise.all([
      api.explain(execution.id, { steps: 'true' }),
      api.version(execution.decisionId, execution.version),
    ]);
    setExplained({ explanation, drawn });
  };
  return (
    <>
      <ExecutionFacts {...{ execution, named }} />
      <div class="columns">
        <Panel label="Fact">
          {execution.fact === null ? (
            <p class="soft">
              {execution.erased === true ? 'It was erased for good.' : 'Facts are not recorded here (RECORD_FACTS).'}
            </p>
          ) : (
            <ValuesOrJson value={execution.fact} label="Values of the fact" />
          )}
        </Panel>
        <ResultRegion evaluation={{ ...execution, result: givenBy(execution) }} given={execution.fact} failure={null} />
      </div>
      <div class="stack">
        <Action name="Explain" isPrimary work={explain} />
      </div>
      {explained !== null && (
        <ExplanationView {...explained} {...{ execution }} keyOf={(decisionId) => named?.keyOf(decisionId) ?? ''} />
      )}
    </>
  );
}

/** Members of an error that people can read; the others are ids and places. */
const ofErrors = [
  ['message', 'error'],
  ['nodeName', 'node'],
  ['label', 'in'],
  ['source', 'text'],
  ['code', 'kind'],
] as const;

/** What it gave; of a run that failed, why. */
function givenBy({ error, result }: Execution): unknown {
  if (error === null) return result;
  const told: Readonly<Record<string, unknown>> = { ...error };
  return Object.fromEntries(ofErrors.flatMap(([name, word]) => (told[name] === undefined ? [] : [[word, told[name]]])));
}

/** Why an explanation is not the run itself. */
const reasonTexts: Readonly<Record<string, string>> = {
  facts_not_recorded: 'The fact was not recorded.',
  fact_redacted: 'The fact held a secret, which was not recorded.',
  http: 'A function node called another host, which may answer otherwise today.',
  configuration_gone: 'The variables that the run saw are not kept any more.',
  program_gone: 'The model that ran is not kept any more.',
  erased: 'What was recorded was erased for good.',
  altered: 'The record is not the one that was made: somebody changed or added it in the database.',
  engine_changed: 'The engine has changed since.',
  limit: 'A limit of time, memory or size ended the run, then or now.',
};

interface ExplanationViewProps extends Explained {
  readonly execution: Execution;
  readonly keyOf: Names['keyOf'];
}

function ExplanationView({ explanation, drawn, execution, keyOf }: ExplanationViewProps) {
  const { api } = useSession();
  const { exact, reasons, trace } = explanation;
  return (
    <Section
      label="Explanation"
      actions={
        <>
          <span class={exact ? 'mark good' : 'mark warn'}>{exact ? 'exact' : 'not exact'}</span>
          <Action
            name="Page to print"
            work={async () =>
              saveFile(
                await api.paper(`/logic/executions/${execution.id}/explanation`),
                `explanation ${lastPart(keyOf(execution.decisionId))} ${execution.id}.html`,
              )
            }
          />
        </>
      }
    >
      <InSentences steps={explanation.steps ?? []} nodes={drawn.content.nodes} path={`/executions/${execution.id}`} />
      {exact ? (
        <p class="soft">Run again as it was, it gave the recorded result byte for byte.</p>
      ) : (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>
              {reasonTexts[reason] ?? reason} <code>{reason}</code>
            </li>
          ))}
        </ul>
      )}
      {execution.version === 0 && (
        <p class="soft">It ran the working copy, which may have changed since: the graph is the present one.</p>
      )}
      {trace !== null && <ModelView shown={drawn} label={`Graph of ${versionName(drawn.version)}`} trace={trace} />}
      {!exact && (
        <section aria-label="Now" class="panel">
          <h3>What it gives now</h3>
          <ValuesOrJson value={decidedFirst(execution.fact, explanation.result)} label="What it gives now" />
        </section>
      )}
    </Section>
  );
}

interface ExecutionFactsProps {
  readonly execution: Execution;
  readonly named: Names | null;
}

/** What ran where, when and for whom; each part leads to more of its kind. */
function ExecutionFacts({ execution, named }: ExecutionFactsProps) {
  const { api } = useSession();
  const { id, decisionId, environmentId, deploymentId, version, reference, principal, requestId, createdAt } =
    execution;
  const deployment = useLoaded(
    // It may be gone by now, or withheld.
    (signal) => api.ask('GET /logic/deployments/{id}', { id: deploymentId }, signal).catch(() => null),
    [api, deploymentId],
  );
  return (
    <Facts
      of={[
        ['Id', <Copied text={id} name="id" />],
        ['When', <Time at={createdAt} />],
        [
          'Decision',
          <Link to={`/decisions/${decisionId}?version=${version}`}>
            {named?.keyOf(decisionId) ?? decisionId} {versionName(version)}
          </Link>,
        ],
        [
          'Environment',
          <Link to={`/executions?environmentId=${environmentId}`}>
            {named === null ? environmentId : <EnvironmentMark environment={named.environmentOf(environmentId)} />}
          </Link>,
        ],
        ['Deployment', <DeploymentLink id={deploymentId} deployment={deployment.value} />],
        [
          'Reference',
          reference === null ? (
            <span class="soft">none</span>
          ) : (
            <Link to={`/executions?reference=${encodeURIComponent(reference)}`}>{reference}</Link>
          ),
        ],
        ['By', <Principal id={principal} />],
        ['HTTP request', <Link to={`/executions?requestId=${requestId}`}>{requestId}</Link>],
      ]}
    />
  );
}

/** Its name may read as something to be done, `Roll back to v1`: it stands as a name does. */
const DeploymentLink = ({ id, deployment }: { readonly id: string; readonly deployment: Deployment | null }) => (
  <>
    {deployment !== null && '“'}
    <Link to={`/executions?deploymentId=${id}`}>{deployment?.name ?? id}</Link>
    {deployment !== null && ['” of ', <Time key="at" at={deployment.createdAt} />]}
  </>
);
