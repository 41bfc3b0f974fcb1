import { Few } from '../parts/table.js';
import { isRefused } from '../../changes/refusedFindings.js';
import { NotLookedAt } from '../analysis/notLookedAt.js';
import type { Analysis, Model, PinnedDependency, Protection, TestReport, VersionWithContent } from '../api/types.js';
import { permitted } from '../api/client.js';
import type { Operations } from '../api/operations.js';
import { runsText } from './runs.js';
import { Failure } from '../parts/failure.js';
import { count, percentOf } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useMay, useSession } from '../shell/session.js';
import { missedOf } from '../tests/coverage.js';
import { TestResults } from '../tests/failedTests.js';
import { worded } from '../analysis/worded.js';

interface AgainstProps {
  readonly decisionId: string;
  readonly version: number;
  /** Of the environment that it is asked for; null where it is deployed at once. */
  readonly protection: Protection | null;
}

/** What speaks against a version, before it is deployed or asked for: tests that fail, and checks that would not pass. */
export function Against({ decisionId: id, version, protection }: AgainstProps) {
  const { api } = useSession();
  const mayTry = useMay()('evaluation:write');
  const wants = protection?.requires;
  const { value, error, loading } = useLoaded(
    async (signal) => ({
      of: version,
      ...(id === '' ? nothing : await foundOf(api, { id, version, mayTry }, signal)),
      report:
        mayTry && id !== ''
          ? await api.ask('POST /logic/decisions/{id}/tests', { id, body: { version } }, signal)
          : null,
      analysis: wants?.analysis === true && id !== '' ? await api.analyse({ decisionId: id, version }, signal) : null,
    }),
    [api, id, version, mayTry, wants?.analysis],
  );
  if (loading || (value !== null && value.of !== version))
    return <p aria-busy="true" class="soft">{`Its tests run …`}</p>;
  if (value === null) return <Failure error={error} />;
  const { report, analysis, found, faults } = value;
  const [fault] = faults;
  const runs = runsText(version, found?.dependencies ?? []);
  const wantsTests = wants?.tests === true && report !== null;
  return (
    <section aria-label="What speaks against it">
      {runs !== null && <p>{runs}</p>}
      {wantsTests && report.failed > 0 && (
        <p class="fault warning" role="status">
          This version cannot be applied there: the protection of the environment wants tests that pass. Save a version
          whose tests pass, and ask for that one.
        </p>
      )}
      {fault !== undefined && (
        <p class="warn">
          It has {count(faults.length, 'warning')}, such as “{fault.field}: {fault.message}”
        </p>
      )}
      {report !== null && <TestResults {...report} />}
      {wantsTests && report.tests.length === 0 && (
        <p class="warn">
          The environment wants tests that pass, and its check lets this version pass: where there are none, none fails.
        </p>
      )}
      {report !== null && typeof wants?.coverage === 'number' && (
        <>
          <Reached {...report.coverage} wanted={wants.coverage} runs={found?.dependencies ?? []} />
          <Missed report={report} model={found?.content ?? null} of={{ decisionId: id, version }} />
        </>
      )}
      {analysis !== null && <Proved {...analysis} version={found} />}
      {typeof wants?.replay === 'string' && <p class="soft">A replay runs when it is asked for: {wants.replay}.</p>}
    </section>
  );
}

const nothing = { found: null, faults: [] };

interface Asked {
  readonly id: string;
  readonly version: number;
  readonly mayTry: boolean;
}

/** A version, and what its author was warned of. */
async function foundOf(api: Operations, { id, version, mayTry }: Asked, signal: AbortSignal) {
  const found = await permitted(api.version(id, version, signal), null);
  if (found === null || !mayTry) return { found, faults: [] };
  const { decision } = await api.decisionWithTag(id, signal);
  return { found, faults: await api.validate(decision.key, found.content, signal) };
}

interface ReachedProps {
  readonly rules: readonly { readonly hits: number }[];
  readonly wanted: number;
  readonly runs: readonly PinnedDependency[];
}

function Reached({ rules, wanted, runs }: ReachedProps) {
  const share = rules.length === 0 ? 1 : rules.filter(({ hits }) => hits > 0).length / rules.length;
  const reached =
    rules.length === 0
      ? 'It has no rows of its own that tests could reach'
      : `Its tests reach ${percentOf(share)} % of all its rows`;
  return (
    <p class={share < wanted ? 'bad' : 'soft'}>
      {reached}; {percentOf(wanted)} % are wanted. <NotLookedAt runs={runs} />
    </p>
  );
}

interface MissedProps {
  readonly report: Pick<TestReport, 'coverage'>;
  /** Null where it may not be read. */
  readonly model: Model | null;
  readonly of: { readonly decisionId: string; readonly version: number };
}

/** The rows and ways that no test of a version reaches, each table a link to it; nothing where tests reach all. */
export function Missed({ report, model, of: { decisionId, version } }: MissedProps) {
  const { lines } = missedOf({ nodes: model?.nodes ?? [] }, report);
  if (lines.length === 0) return null;
  return (
    <ul>
      <Few of={lines}>
        {({ nodeId, name, text }) => (
          <li key={nodeId}>
            <Link to={`/decisions/${decisionId}?version=${version}&node=${encodeURIComponent(nodeId)}`}>{name}</Link>:{' '}
            {text}
          </li>
        )}
      </Few>
    </ul>
  );
}

interface ProvedProps extends Pick<Analysis, 'tables'> {
  /** By whose columns fields are called; null where it may not be read. */
  readonly version: Pick<VersionWithContent, 'content' | 'dependencies'> | null;
}

/** What is proved of tables that stands against a version. */
export function Proved({ tables, version }: ProvedProps) {
  const found = tables.flatMap(({ nodeId, node, hitPolicy, findings }) =>
    findings
      .filter(({ kind, status }) => status === 'proved' && isRefused(kind, hitPolicy))
      .map(({ message }) => {
        const content = version?.content.nodes.find(({ id }) => id === nodeId)?.content;
        return [node, worded(message, content)] as const;
      }),
  );
  return (
    <>
      {found.length > 0 && (
        <ul>
          <Few of={found}>
            {([node, message], at) => (
              <li key={at}>
                <em>{node}</em>: {message}
              </li>
            )}
          </Few>
        </ul>
      )}
      <p class="soft">
        {found.length === 0 && 'No fault of its own tables is proved.'}{' '}
        <NotLookedAt runs={version?.dependencies ?? []} />
      </p>
    </>
  );
}
