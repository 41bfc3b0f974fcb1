import { formatJson } from '../../workers/json/index.js';
import { engineNumber } from '../../workers/engine/index.js';
import { bodyOf } from '../../workers/models/index.js';
import type { RunDone, RunStopped } from '../../workers/protocol.js';
import { textBytes, type Reservation } from '../admission/byteBudget.js';
import type { VariableDependencies } from '../environments/sealedVariable.js';
import { configurationAt } from '../environments/variableHistory.store.js';
import type { Explanation, InexactReason } from './explanation.js';
import type { WholeExecution } from './history.store.js';
import { outcomeOf, stoppedProblem, traceWith } from './responseBody.js';
import { runForRequest, type RunCaller, type RunDependencies } from './runOnThread.js';

export type ExplanationDependencies = RunDependencies &
  VariableDependencies & {
    /** Whether the record is another than the one of which there is evidence. */
    readonly isAltered: (record: WholeExecution, account: Pick<Reservation, 'grow' | 'shrink'>) => Promise<boolean>;
    /** Of some executions of a workspace the ones that were erased. */
    readonly erasedAmong: (workspaceId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  };

/** A recorded execution with all that its run takes. */
interface Repeatable {
  readonly programId: string;
  readonly bundle: string;
  readonly configuration: string;
  readonly body: string;
  readonly clock: number;
  readonly seed: number;
}

/**
 * Runs a recorded execution again, with a trace, by what its record names, and compares. No host is called. Throws
 * `overloaded`, and `engine_timeout` or `engine_failure` where a run that once came to its end is stopped this time.
 */
export async function explain(
  dependencies: ExplanationDependencies,
  request: RunCaller,
  record: WholeExecution,
): Promise<Explanation> {
  const erased = await dependencies.erasedAmong(record.workspaceId, [record.id]);
  if (erased.size > 0) return unexplained(['erased']);
  if (await dependencies.isAltered(record, request.reservation)) return unexplained(['altered']);
  const { context } = record;
  const found = await repeatable(dependencies, record, context);
  if (Array.isArray(found)) return unexplained(found);
  const reply = await repeat(dependencies, request, record, found);
  const compared = compare(record, reply);
  if (!context.factRedacted) return compared;
  return { ...compared, exact: false, reasons: [...new Set<InexactReason>(['fact_redacted', ...compared.reasons])] };
}

const unexplained = (reasons: readonly InexactReason[]): Explanation => ({
  exact: false,
  reasons,
  result: null,
  trace: null,
});

async function repeatable(
  dependencies: ExplanationDependencies,
  { workspaceId, environmentId, decisionId, version, fact, selection }: WholeExecution,
  { programId, configurationRevision, clock, seed }: WholeExecution['context'],
): Promise<Repeatable | InexactReason[]> {
  const ref = { workspaceId, environmentId };
  const [bundle, configuration] = await Promise.all([
    dependencies.programs.recorded(workspaceId, { programId, decisionId, version }),
    configurationAt(dependencies, ref, configurationRevision),
  ]);
  if (fact !== null && bundle !== undefined && configuration !== undefined) {
    const body = bodyOf(fact, selection);
    return { programId, bundle, configuration: formatJson(configuration), body, clock, seed };
  }
  return [
    ...(fact === null ? (['facts_not_recorded'] as const) : []),
    ...(configuration === undefined ? (['configuration_gone'] as const) : []),
    ...(bundle === undefined ? (['program_gone'] as const) : []),
  ];
}

async function repeat(
  dependencies: RunDependencies,
  request: RunCaller,
  { environmentId, context }: WholeExecution,
  { programId, bundle, configuration, body, clock, seed }: Repeatable,
): Promise<RunDone | RunStopped> {
  const { workspaceId, reservation } = request;
  reservation.grow(textBytes(bundle));
  // Not the id that executions have: this configuration is without hosts.
  const configurationId = `past:${environmentId}:${context.configurationRevision}`;
  const of = {
    programId,
    workspaceId,
    configurationId,
    body,
    traced: 'apart',
    clock,
    seed,
    withoutHttp: true,
  } as const;
  return runForRequest(dependencies, request, of, (miss) =>
    Promise.resolve({ ...(miss.program ? { bundle } : {}), ...(miss.configuration ? { configuration } : {}) }),
  );
}

function compare(record: WholeExecution, reply: RunDone | RunStopped): Explanation {
  const { status, result, error } = outcomeOf(reply);
  const trace = reply.kind === 'done' ? traceWith(reply.trace, reply.warnings) : null;
  const [recordedCode, code] = [codeOf(record.error), codeOf(error)];
  if (code === 'http_withheld') return { exact: false, reasons: ['http'], result: null, trace };
  if (status === record.status && result === record.result && error === record.error) {
    return { exact: true, reasons: [], result, trace };
  }
  if (reply.kind === 'stopped' && !isLimit(recordedCode)) throw stoppedProblem(reply);
  const reasons: InexactReason[] = [];
  if (record.context.engine !== engineNumber) reasons.push('engine_changed');
  if (isLimit(recordedCode) || isLimit(code)) reasons.push('limit');
  return { exact: false, reasons, result, trace };
}

/** Where time and memory end depends on the machine, the other limits are settings. */
const isLimit = (code: string): boolean =>
  code === 'timeout' || code === 'memory' || code === 'crash' || code.startsWith('limit_');

const codeOf = (error: string | null): string =>
  error === null ? '' : String((JSON.parse(error) as { code?: unknown }).code);
