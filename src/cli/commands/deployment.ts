import type { Deployment } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { operator } from '../../audit/actor.js';
import { asRouted, inForceFirst, type Routed } from '../../deployments/asRouted.js';
import { rollBackTarget } from '../../deployments/rollBackTarget.js';
import { command, listed, type Call, type CommandGroup } from '../command.js';
import { Refusal } from '../failures.js';
import { count, required, text, versions } from '../params.js';
import { decisionId, environmentId, findDecision } from '../remote/named.js';
import { byName, namesIn } from '../remote/called.js';
import { allowed } from '../remote/service.js';
import { fieldsOf, tableOf } from '../tableOf.js';

const deploying = {
  environmentId: required(environmentId('--environment <environment>', 'where; name or id')),
};
const told = {
  message: text('--message <text>', 'why'),
  deployedBy: text('--deployed-by <name>', 'who deploys; else operator:<system user>'),
};
const named = { decision: text('<decision>', 'key or id') };

const nameFor = (key: string, version: number): string =>
  `${key.slice(0, 230)} ${version === 0 ? 'working copy' : `version ${version}`}`;

const deploymentText = (made: Deployment): string =>
  fieldsOf(
    {
      name: 'name',
      id: 'id',
      decision: 'decisionId',
      version: 'version',
      environment: 'environmentId',
      message: 'message',
      'deployed by': 'deployedBy',
      created: 'createdAt',
    },
    made,
  );

const steppedText = ({ version, name, createdAt }: Deployment): string =>
  `${version === 0 ? 'the working copy' : `version ${version}`} (${JSON.stringify(name)}, deployed ${createdAt})`;

/** All deployments as they route, which their records need not say. */
async function newestFirst({ all }: Call): Promise<Routed<Deployment>[]> {
  const routings = await all(operations.listRoutings, {});
  return asRouted(routings, await all(operations.listDeployments, {}));
}

const recordText = ({ recorded }: Routed<Deployment>): string =>
  recorded === null
    ? ''
    : `version ${recorded.version}, decision ${recorded.decisionId}, environment ${recorded.environmentId}`;

/** An entry of the audit trail may be a little older than the deployment that it is of. */
const auditSlackMs = 60_000;

/**
 * Whose tokens made deployments, by their ids: `deployedBy` is what a client says of itself. Empty where the token may not
 * read the audit trail.
 */
async function principalsOf({ all }: Call, newestFirst: readonly Deployment[]): Promise<ReadonlyMap<string, string>> {
  const oldest = newestFirst.at(-1);
  if (oldest === undefined) return new Map();
  const from = new Date(Date.parse(oldest.createdAt) - auditSlackMs);
  const query = { resourceType: 'deployment', action: 'deployment.create', from };
  const entries = await allowed([], () => all(operations.listAuditEntries, query));
  return new Map(entries.map(({ resource, principal }) => [resource.id, principal]));
}

/** Deployments as they route, with whose token made each. */
async function listDeployments(
  call: Call,
  {
    size,
    ...names
  }: { readonly size: number | undefined } & Readonly<Record<'environmentId' | 'decisionId', string | undefined>>,
): Promise<(Routed<Deployment> & { readonly principal: string | null })[]> {
  const { environmentId, decisionId } = await call.resolved(names);
  const deployments = (await newestFirst(call))
    .filter((each) => environmentId === undefined || each.environmentId === environmentId)
    .filter((each) => decisionId === undefined || each.decisionId === decisionId)
    .slice(0, size);
  const principals = await principalsOf(call, deployments);
  return deployments.map((each) => ({ ...each, principal: principals.get(each.id) ?? null }));
}

export const deploymentCommands: CommandGroup = {
  groups: {
    deployment: 'which version of a decision runs in which environment: the newest deployment of the two is in force',
  },
  commands: [
    command({
      name: 'deployment list',
      about:
        'list deployments, newest first, by what they route, and which of them are in force. What PATCH made of a record alone ' +
        'stands beside it',
      examples: ['deployment list --size 20', 'deployment list --environment Production --decision shop/fees.json'],
      options: {
        size: count('--size <n>', 'how many at most; else all', [1, 1_000_000]),
        environmentId: environmentId('--environment <environment>', 'those of this environment alone; name or id'),
        decisionId: decisionId('--decision <decision>', 'those of this decision alone; key or id'),
      },
      run: listDeployments,
      async file(call, input) {
        const { csvOf } = await import('../csvOf.js');
        const { ListedDeployment } = await import('../../deployments/deployments.schema.js');
        const fields = ['principal', 'decisionId', 'environmentId'];
        return csvOf(ListedDeployment, [await listDeployments(call, input)], (named) => namesIn(call, named, fields));
      },
      document: (deployments) => listed('deployments', deployments),
      text: async (deployments, call) =>
        tableOf(
          {
            created: 'createdAt',
            'in force': ({ inForce }) => (inForce ? 'yes' : ''),
            version: 'version',
            name: 'name',
            by: 'deployedBy',
            'signed in as': 'principal',
            decision: 'decisionId',
            environment: 'environmentId',
            id: 'id',
            ...(deployments.some(({ recorded }) => recorded !== null) ? { 'its record alone': recordText } : {}),
          },
          await byName(call, deployments, ['principal', 'decisionId', 'environmentId']),
        ),
    }),
    command({
      name: 'deployment create',
      about: 'deploy a version; from then on it answers all executions of that decision in that environment',
      examples: [
        'deployment create shop/fees.json --environment 0190… --version 3',
        'deployment create shop/fees.json --environment 0190… --name "Spring rates" --deployed-by "release pipeline"',
      ],
      args: named,
      options: {
        ...deploying,
        version: count('--version <n>', 'the version; 0 is the working copy; else the newest saved one', versions),
        name: text('--name <name>', 'what people call it; else the key and the version'),
        ...told,
      },
      async run({ service, ask }, { decision, name, deployedBy = operator().principal, ...fields }) {
        const { id, key, latestVersion } = await findDecision(service, decision);
        const version = fields.version ?? latestVersion;
        if (version === null) {
          throw new Refusal(
            `${JSON.stringify(key)} has no saved version. Save one (verdict decision save), or deploy the working copy: --version 0`,
          );
        }
        const deployed = { decisionId: id, version, name: name ?? nameFor(key, version), deployedBy };
        return (await ask(operations.createDeployment, { ...fields, ...deployed })).body;
      },
      text: deploymentText,
    }),
    command({
      name: 'deployment rollback',
      about:
        'bring the version back that was in force before the present one, by deploying it once more: nothing is deleted, ' +
        'so history stays whole. It says which one that is. Done twice, it goes one further back, and not forward again',
      examples: ['deployment rollback shop/fees.json --environment 0190… --message "Wrong rates"'],
      args: named,
      options: { ...deploying, ...told },
      async run(call, { decision, deployedBy = operator().principal, ...fields }) {
        const { id, key } = await findDecision(call.service, decision);
        const { environmentId } = await call.resolved(fields);
        const history = (await newestFirst(call))
          .filter((each) => each.decisionId === id && each.environmentId === environmentId)
          .sort(inForceFirst);
        const [present] = history;
        if (present === undefined) throw new Refusal(`${JSON.stringify(key)} is not deployed in this environment.`);
        const before = rollBackTarget(history);
        if (before === undefined) {
          throw new Refusal(
            `nothing was in force in this environment before ${nameFor(key, present.version)}. For another: verdict deployment create`,
          );
        }
        const name = `Rollback to ${nameFor(key, before.version)}`;
        const deployed = { decisionId: id, version: before.version, name, deployedBy };
        const { body: made } = await call.ask(operations.createDeployment, { ...fields, ...deployed });
        return { made, present, before };
      },
      document: ({ made }) => made,
      text: ({ made, present, before }) =>
        `From ${steppedText(present)} back to ${steppedText(before)}.\n${deploymentText(made)}`,
    }),
  ],
};
