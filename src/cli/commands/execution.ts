import type { ExecutionExplanation } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { command, page, type CommandGroup } from '../command.js';
import { InvalidArgumentError, count, date, id, parsed, required, text, versions } from '../params.js';
import { exitCodes } from '../failures.js';
import { isRecord, parseExactly } from '../../../workers/json/index.js';
import { decisionId, environmentId } from '../remote/named.js';
import { inLanguage, printing, writePage } from '../remote/writePage.js';
import { printable } from '../printable.js';
import { record, table } from '../tableOf.js';

const one = { id: id('<execution>', 'its id') };

/** Parses a fact, and keeps all digits of its numbers. */
function parseFact(json: string): object {
  let fact: unknown;
  try {
    fact = parseExactly(json);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
  if (isRecord(fact)) return fact;
  throw new InvalidArgumentError('It must be a JSON object, such as {"weight": 3}.');
}

/** A node as the trace of an execution shows it. */
interface ExplainedNode {
  readonly name: string;
  readonly order: number;
  readonly performance: string;
  readonly output: unknown;
  readonly error?: { readonly message: string };
}

function explanationText({ exact, reasons, result, trace, warnings = [] }: ExecutionExplanation): string {
  const facts = record({ exact, ...(exact ? {} : { reasons: reasons.join(', ') }), result });
  if (trace === null) return facts;
  // A DMN model's trace has its warnings as a list beside the nodes.
  const nodes = (Object.values(trace) as (ExplainedNode | unknown[])[])
    .filter((node): node is ExplainedNode => !Array.isArray(node))
    .sort((one, other) => one.order - other.order);
  const rows = nodes.map(({ name, performance, output, error }) => [name, performance, error?.message ?? output]);
  const told = warnings.map(({ node, message }) => `\n${printable(node)}: ${printable(message)}`);
  return `${facts}\n${table(['node', 'time', 'output'], rows)}${told.join('')}`;
}

export const executionCommands: CommandGroup = {
  groups: { execution: 'execute what is deployed; what was executed, as recorded' },
  commands: [
    command({
      name: 'execution run',
      about: 'execute what is deployed on one fact, and record it; exit 1 when it failed',
      examples: [`execution run shop/fees.json --environment Production --fact '{"weight": 3}'`],
      args: { decisionId: decisionId('<decision>', 'key or id') },
      options: {
        environmentId: required(environmentId('--environment <environment>', 'where; name or id')),
        fact: required(parsed('--fact <json>', 'what is decided about: a JSON object', parseFact)),
        reference: text('--reference <text>', "the caller's own id, by which the execution is found again"),
      },
      run: async ({ ask }, { reference, ...asked }) =>
        (await ask(operations.execute, asked, reference === undefined ? {} : { 'Execution-Reference': reference }))
          .body,
      text: ({ id: executionId, status, performance, result }) =>
        record({ id: executionId, status, engine: performance, result }),
      end: ({ status }) => (status === 'COMPLETED' ? undefined : exitCodes.refused),
    }),
    page({
      name: 'execution list',
      about: 'list executions, newest first',
      examples: [
        'execution list --decision shop/fees.json --status FAILED',
        'execution list --from 2026-01-31 --size 1000 --json',
      ],
      options: {
        environmentId: environmentId('--environment <environment>', 'those in this environment; name or id'),
        decisionId: decisionId('--decision <decision>', 'those of this decision; key or id'),
        deploymentId: id('--deployment <id>', 'those of this deployment'),
        version: count('--version <n>', 'those of this version', versions),
        status: text('--status <status>', 'COMPLETED or FAILED'),
        reference: text('--reference <text>', "those that bear this Execution-Reference, the caller's own id"),
        requestId: id('--request <id>', 'those of this X-Request-Id'),
      },
      operation: operations.listExecutions,
      as: 'executions',
      columns: {
        created: 'createdAt',
        status: 'status',
        engine: 'performance',
        version: 'version',
        decision: 'decisionId',
        environment: 'environmentId',
        id: 'id',
      },
      named: ['decisionId', 'environmentId'],
    }),
    command({
      name: 'execution show',
      about: 'show all that is recorded of one execution; secrets are redacted',
      examples: ['execution show 0190… --json'],
      args: one,
      run: async ({ ask }, input) => (await ask(operations.getExecution, input)).body,
      text: record,
    }),
    command({
      name: 'execution explain',
      about: 'run a recorded execution again, as it ran then, and show what each node gave',
      examples: ['execution explain 0190…', 'execution explain 0190… --html refused.html --language fi'],
      args: one,
      options: { ...printing, ...inLanguage },
      async run(call, input) {
        await writePage(call, operations.explainExecution, input);
        return (await call.ask(operations.explainExecution, input)).body;
      },
      text: explanationText,
    }),
    command({
      name: 'execution prune',
      about: 'delete records of executions and evaluations made before a date, and what only they named, for good',
      examples: ['execution prune --before 2026-01-31', 'execution prune --before 2026-01-31 --workspace 0190…'],
      where: 'here',
      options: {
        before: required(date('--before <date>', 'such as 2026-01-31 (midnight UTC) or 2026-01-31T09:30:00Z')),
        workspaceId: id('--workspace <id>', 'of this workspace only; else of all'),
      },
      async run({ session }, request) {
        const { countPrunable, pruneHistory } = await import('../../runs/prune.js');
        const { pruneKept } = await import('../../runs/pruneKept.js');
        const { workspaces } = await import('../../workspaces/workspaces.store.js');
        const stores = await session.stores();
        // A mistaken id would look as if nothing were old enough.
        if (request.workspaceId !== undefined)
          await workspaces.require(stores.database, { id: request.workspaceId, tenantId: undefined });
        const total = await countPrunable(stores.database, request);
        const deleted = await session.during('deleting', total, (advance) => pruneHistory(stores, request, advance));
        await pruneKept(stores.database, request.workspaceId);
        return { before: request.before.toISOString(), deleted };
      },
      text: ({ before, deleted }) => record({ before, ...deleted }),
    }),
  ],
};
