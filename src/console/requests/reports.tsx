import type { ComponentProps } from 'preact';
import { Few } from '../parts/table.js';
import { NotLookedAt } from '../analysis/notLookedAt.js';
import type {
  Analysis,
  ChangeReports,
  ChangeRequest,
  ReplayReport,
  TestReport,
  VersionWithContent,
} from '../api/types.js';
import { permitted } from '../api/client.js';
import { isObject } from '../graph/fields.js';
import { Section, Shown, versionName } from '../parts/small.js';
import { useLoaded, type Loaded } from '../parts/useLoaded.js';
import type { Names } from '../parts/useNames.js';
import { placeText, ValuesLine } from '../parts/values.js';
import { fewHave, withFewTogether } from '../replays/fewHave.js';
import { Otherwise } from '../replays/report.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { TestResults } from '../tests/failedTests.js';
import { Missed, Proved } from './against.js';

type ChangeReport = ChangeReports['reports'][number];

/** Each report of a request with the version that it is about, as far as that may be read. */
type ReadReports = readonly (readonly [report: ChangeReport, version: VersionWithContent | null])[];

/** What the checks of a request have found; nothing while nobody wants it. */
export function useReports({ id, updatedAt }: Pick<ChangeRequest, 'id' | 'updatedAt'>, isWanted: boolean) {
  const { api } = useSession();
  return useLoaded<ReadReports>(
    async (signal) => {
      if (!isWanted) return [];
      const { reports } = await api.ask('GET /logic/change-requests/{id}/reports', { id }, signal);
      const found: ReadReports[number][] = [];
      for (const each of reports) {
        const { decisionId, version } = each;
        found.push([each, await permitted(api.version(decisionId, version, signal), null)]);
      }
      return found;
    },
    [api, id, updatedAt, isWanted],
  );
}

interface ReportsProps {
  readonly loaded: Loaded<ReadReports>;
  readonly names: Pick<Names, 'keyOf'>;
}

/** What each check has found, in words. */
export const Reports = ({ loaded, names }: ReportsProps) => (
  <Shown loaded={loaded}>
    {(reports) =>
      reports.map(([each, of], index) => (
        <Section
          key={index}
          label={`Report of ${each.name}`}
          title={`${each.name} of ${names.keyOf(each.decisionId)} ${versionName(each.version)}`}
        >
          <Found report={each} of={of} />
        </Section>
      ))
    }
  </Shown>
);

/** The rows that no test reaches, where the protection asks how many they are. */
export const Unreached = ({ reports }: { readonly reports: ReadReports }) =>
  reports.map(
    ([report, version], index) =>
      report.name === 'coverage' &&
      isWhole(report.report) && (
        <Missed key={index} report={report.report as TestReport} model={version?.content ?? null} of={report} />
      ),
  );

/** The service keeps no report that is too long. */
const isWhole = (report: ChangeReport['report']): boolean => isObject(report) && report['shortened'] !== true;

function Found({ report: { name, report, decisionId, version, replayId }, of }: FoundProps) {
  if (!isObject(report)) return <p class="soft">It is under way, or could not be made.</p>;
  // The page of the version finds the same.
  if (!isWhole(report)) {
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
      return <Reach report={report as unknown as TestReport} version={of} of={{ decisionId, version }} />;
    case 'analysis':
      return <Proved {...(report as unknown as Pick<Analysis, 'tables'>)} version={of} />;
    case 'replay':
      return <Replayed report={report as unknown as ReplayReport} replayId={replayId} />;
  }
}

interface FoundProps {
  readonly report: ChangeReport;
  /** Null where it may not be read. */
  readonly of: VersionWithContent | null;
}

interface ReachProps extends Pick<ComponentProps<typeof Missed>, 'report' | 'of'> {
  readonly version: VersionWithContent | null;
}

function Reach({ report, version, of }: ReachProps) {
  const { nodes, rules } = report.coverage;
  const isWhole = [...nodes, ...rules].every(({ hits }) => hits > 0);
  return (
    <>
      {!isWhole && <Missed {...{ report, of }} model={version?.content ?? null} />}
      <p class="soft">
        {isWhole && 'Its tests reach every row and branch of its own.'}{' '}
        <NotLookedAt runs={version?.dependencies ?? []} />
      </p>
    </>
  );
}

function Replayed({ report, replayId }: { readonly report: ReplayReport; readonly replayId: string | undefined }) {
  return (
    <>
      <Otherwise report={report} />
      <ul>
        <Few of={withFewTogether(report.transitions)}>
          {({ pointer, before, after, changes, count }, at) => (
            <li key={at}>
              <code>{placeText(pointer)}</code>:{' '}
              {changes === undefined ? (
                <>
                  <ValuesLine value={before} /> → <ValuesLine value={after} />
                </>
              ) : (
                fewHave(changes)
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
