import { Few } from '../parts/table.js';
import type { ChangeReports, Model, ReplayReport, TestReport } from '../api/types.js';
import { permitted } from '../api/client.js';
import { isObject } from '../graph/fields.js';
import { Section, Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import type { Names } from '../parts/useNames.js';
import { placeText, ValuesLine } from '../parts/values.js';
import { fewHave, Otherwise } from '../replays/report.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { missedOf } from '../tests/coverage.js';
import { TestResults } from '../tests/failedTests.js';
import { Proved } from './against.js';

type ChangeReport = ChangeReports['reports'][number];

interface ReportsProps {
  /** Of the request. */
  readonly id: string;
  readonly names: Pick<Names, 'keyOf'>;
}

/** What each check has found, in words. */
export function Reports({ id, names }: ReportsProps) {
  const { api } = useSession();
  const loaded = useLoaded(
    async (signal) => {
      const { reports } = await api.ask('GET /logic/change-requests/{id}/reports', { id }, signal);
      const found: (readonly [report: ChangeReport, model: Model | null])[] = [];
      for (const each of reports) {
        const { decisionId, version } = each;
        found.push([each, (await permitted(api.version(decisionId, version, signal), null))?.content ?? null]);
      }
      return found;
    },
    [api, id],
  );
  return (
    <Shown loaded={loaded}>
      {(reports) =>
        reports.map(([each, model], index) => (
          <Section
            key={index}
            label={`Report of ${each.name}`}
            title={`${each.name} of ${names.keyOf(each.decisionId)} ${versionName(each.version)}`}
          >
            <Found report={each} model={model} />
          </Section>
        ))
      }
    </Shown>
  );
}

function Found({ report: { name, report, decisionId, version, replayId }, model }: FoundProps) {
  if (!isObject(report)) return <p class="soft">It is under way, or could not be made.</p>;
  // The service keeps no report that is too long: the page of the version finds the same.
  if (report['shortened'] === true) {
    return (
      <p>
        It is too long to be kept. <Link to={`/decisions/${decisionId}?version=${version}`}>The version</Link> shows it.
      </p>
    );
  }
  switch (name) {
    case 'tests':
      return <TestResults {...(report as unknown as TestReport)} />;
    case 'coverage':
      return <Missed report={report as unknown as TestReport} model={model} />;
    case 'analysis':
      return <Proved {...(report as unknown as Parameters<typeof Proved>[0])} model={model} />;
    case 'replay':
      return <Replayed report={report as unknown as ReplayReport} replayId={replayId} />;
  }
}

interface FoundProps {
  readonly report: ChangeReport;
  /** Null where it may not be read. */
  readonly model: Model | null;
}

function Missed({ report, model }: { readonly report: TestReport; readonly model: Model | null }) {
  const { lines } = missedOf({ nodes: model?.nodes ?? [] }, report);
  if (lines.length === 0) return <p class="soft">Its tests reach every row and branch.</p>;
  return (
    <ul>
      {lines.map(({ nodeId, name, text }) => (
        <li key={nodeId}>
          <em>{name}</em>: {text}
        </li>
      ))}
    </ul>
  );
}

function Replayed({ report, replayId }: { readonly report: ReplayReport; readonly replayId: string | undefined }) {
  return (
    <>
      <Otherwise report={report} />
      <ul>
        <Few of={report.transitions}>
          {({ pointer, before, after, hash, count }, at) => (
            <li key={at}>
              <code>{placeText(pointer)}</code>:{' '}
              {hash === undefined ? (
                <>
                  <ValuesLine value={before} /> → <ValuesLine value={after} />
                </>
              ) : (
                fewHave
              )}
              , {count === 1 ? 'once' : `${count} times`}
            </li>
          )}
        </Few>
      </ul>
      {replayId !== undefined && <Link to={`/replays/${replayId}`}>The replay</Link>}
    </>
  );
}
