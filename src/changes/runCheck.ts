import type { ModelWork } from '../../workers/models/index.js';
import type { Analyse } from '../analyses/analyse.js';
import { readBundledProgram } from '../decisions/programs/bundledProgram.js';
import type { Programs } from '../decisions/programs/programs.js';
import { runTests } from '../decisions/programs/testReport.js';
import type { Reservation } from '../admission/byteBudget.js';
import type { CheckOutcome, ClaimedCheck } from './checks.store.js';
import { isRefused } from './refusedFindings.js';
import { uncountedText } from './uncounted.js';

/** What checks of models need. */
export interface CheckParts {
  readonly models: ModelWork;
  readonly analyse: Analyse;
  readonly programs: Programs;
}

interface Checking {
  readonly reservation: Pick<Reservation, 'grow'>;
  /** True once the server stops. */
  readonly gone: () => boolean;
}

/** Longest report that is kept, in characters; of a longer one the summary is. */
const maxReport = 128 * 1024;

/** Runs the model's own tests: for their results, or for the rows and statements that they reach. */
export async function checkTests(
  { models, programs }: CheckParts,
  check: ClaimedCheck,
  { reservation, gone }: Checking,
): Promise<CheckOutcome> {
  const { workspaceId, decisionId: id, version, name } = check;
  const brought = await readBundledProgram(programs, { workspaceId, reservation }, { id, version });
  const { passed, failed, tests, coverage } = await runTests(
    models,
    { ...brought, workspaceId },
    { gone, reservation },
  );
  const head = `{"passed":${passed},"failed":${failed}`;
  const whole = `${head},"coverage":${coverage},"tests":[${tests.join()}]}`;
  const report = whole.length <= maxReport ? whole : `${head},"shortened":true}`;
  if (name === 'coverage') return coverageOutcome(check, coverage, report);
  const count = passed + failed;
  const detail = count === 0 ? 'the model has no tests' : `${passed} of ${count} tests passed`;
  return { passed: failed === 0, detail: detailOf(check, detail), report };
}

interface Coverage {
  readonly rules: readonly { readonly hits: number }[];
  readonly uncounted?: readonly string[];
}

function coverageOutcome(check: ClaimedCheck, coverage: string, report: string): CheckOutcome {
  const { rules, uncounted = [] } = JSON.parse(coverage) as Coverage;
  const reached = rules.filter(({ hits }) => hits > 0).length;
  const share = rules.length === 0 ? 1 : reached / rules.length;
  const wanted = Number(check.wanted);
  const detail = `tests reach ${reached} of ${rules.length} rows and statements (${percent(share)}; ${percent(wanted)} wanted)`;
  const told = [detailOf(check, detail), uncountedText(uncounted)].filter((each) => each !== null);
  return { passed: share >= wanted, detail: told.join(' '), report };
}

/** Rounded down, so that what is below a bound never reads as the bound. */
const percent = (share: number): string => `${Math.floor(share * 1000) / 10} %`;

interface AnalysisReport {
  readonly tables: readonly {
    readonly node: string;
    readonly hitPolicy: string | null;
    readonly findings: readonly { readonly kind: string; readonly status: string }[];
  }[];
}

/** Proves what can be proved of the version. */
export async function checkAnalysis(
  { analyse, programs }: CheckParts,
  check: ClaimedCheck,
  { reservation, gone }: Checking,
): Promise<CheckOutcome> {
  const { workspaceId, decisionId: id, version } = check;
  const brought = await readBundledProgram(programs, { workspaceId, reservation }, { id, version });
  const task = { workspaceId, request: '{}', ...brought, against: null, suggest: false };
  const { report } = await analyse(task, gone);
  if (report === null) return { passed: false, detail: detailOf(check, 'it cannot be analysed'), report };
  const found = refusedIn(JSON.parse(report) as AnalysisReport);
  const detail = found.length === 0 ? 'nothing of the kind is proved' : `proved: ${found.join(', ')}`;
  const kept = report.length <= maxReport ? report : JSON.stringify({ shortened: true, proved: found });
  return { passed: found.length === 0, detail: detailOf(check, detail), report: kept };
}

/** What is proved of tables and not to be: a table stands in each finding of it, so long names are cut, and many findings counted. */
export function refusedIn({ tables }: AnalysisReport): string[] {
  const found = tables.flatMap(({ node, hitPolicy, findings }) => {
    const name = JSON.stringify(node.length > longestName ? `${node.slice(0, longestName).toWellFormed()}…` : node);
    return findings
      .filter(({ kind, status }) => status === 'proved' && isRefused(kind, hitPolicy))
      .map(({ kind }) => `${kind} in ${name}`);
  });
  const more = found.length - mostFindings;
  return more > 0 ? [...found.slice(0, mostFindings), `and ${more} more`] : found;
}

const [mostFindings, longestName] = [100, 100];

/** Names what a detail is of, because a request may deploy several versions. */
export const detailOf = ({ decisionKey, version }: ClaimedCheck, detail: string): string =>
  `${decisionKey}, version ${version}: ${detail}.`;
