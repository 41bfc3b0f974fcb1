import type { Command } from 'commander';
import { examples, parseCount, parseId } from '../arguments.js';
import type { Session } from '../session.js';
import { record, table } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { environmentOption, findDecision, optionalEnvironment } from './find.js';
import type { ExecutionExplanation } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { noteNext, queryOf, withRecentPage, type RecentPageOptions } from './recentPage.js';

interface ListOptions extends RecentPageOptions {
  readonly environment?: string;
  readonly decision?: string;
  readonly deployment?: string;
  readonly version?: number;
  readonly status?: string;
  readonly reference?: string;
  readonly request?: string;
}

/** `verdict execution list`, `show` and `explain` */
export function registerExecutionRead(execution: Command, session: Session): void {
  withRecentPage(execution.command('list'))
    .description('list executions, newest first')
    .addOption(environmentOption('those in this environment'))
    .option('--decision <decision>', 'those of this decision; key or id')
    .option('--deployment <id>', 'those of this deployment', parseId)
    .option('--version <n>', 'those of this version', parseCount(0, 2_147_483_647))
    .option('--status <status>', 'COMPLETED or FAILED')
    .option('--reference <text>', "those that bear this Execution-Reference, the caller's own id")
    .option('--request <id>', 'those of this X-Request-Id', parseId)
    .addHelpText(
      'after',
      examples(
        'execution list --decision shop/fees.json --status FAILED',
        'execution list --from 2026-01-31 --size 1000 --json',
      ),
    )
    .action((options: ListOptions) => list(session, options));
  withConnection(execution.command('show'))
    .description('show all that is recorded of one execution; secrets are redacted')
    .argument('<execution>', 'its id', parseId)
    .addHelpText('after', examples('execution show 0190… --json'))
    .action(async (id: string, options: ConnectionOptions) => {
      const { body } = await session.service(options).send(operations.getExecution, { params: { id } });
      session.print(body, () => record(body));
    });
  registerExplain(execution, session);
}

function registerExplain(execution: Command, session: Session): void {
  withConnection(execution.command('explain'))
    .description('run a recorded execution again, as it ran then, and show what each node gave')
    .argument('<execution>', 'its id', parseId)
    .addHelpText('after', examples('execution explain 0190…', 'execution explain 0190… --json'))
    .action(async (id: string, options: ConnectionOptions) => {
      const { body } = await session.service(options).send(operations.explainExecution, { params: { id } });
      session.print(body, () => explanationText(body));
    });
}

/** What the trace has of a node. */
interface ExplainedNode {
  readonly name: string;
  readonly order: number;
  readonly performance: string;
  readonly output: unknown;
  readonly error?: { readonly message: string };
}

function explanationText({ exact, reasons, result, trace }: ExecutionExplanation): string {
  const facts = record({ exact, ...(exact ? {} : { reasons: reasons.join(', ') }), result });
  if (trace === null) return facts;
  const nodes = (Object.values(trace) as ExplainedNode[]).sort((one, other) => one.order - other.order);
  const rows = nodes.map(({ name, performance, output, error }) => [name, performance, error?.message ?? output]);
  return `${facts}\n${table(['node', 'time', 'output'], rows)}`;
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const service = session.service(options);
  const { decision } = options;
  const query = {
    ...queryOf(options),
    environmentId: await optionalEnvironment(service, options.environment),
    decisionId: decision === undefined ? undefined : (await findDecision(service, decision)).id,
    deploymentId: options.deployment,
    version: options.version,
    status: options.status,
    reference: options.reference,
    requestId: options.request,
  };
  const { body } = await service.send(operations.listExecutions, { query });
  const { data: executions, page } = body;
  session.print({ executions, page }, () =>
    table(
      ['created', 'status', 'engine', 'version', 'decision', 'id'],
      executions.map((row) => [row.createdAt, row.status, row.performance, row.version, row.decisionId, row.id]),
    ),
  );
  noteNext(session, options, body);
}
