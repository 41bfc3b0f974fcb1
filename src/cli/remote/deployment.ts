import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { CreateDeployment, Deployment } from '../../deployments/deployments.schema.js';
import { examples, parseCount } from '../arguments.js';
import { Refusal } from '../failures.js';
import type { Session } from '../session.js';
import { record, table } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { environmentIdOf, environmentOption, findDecision, optionalEnvironment, requiredEnvironment } from './find.js';
import { operations } from '#openapi/operations.gen.js';
import { ServiceRefusal, type Service } from './service.js';

const maxVersion = 2_147_483_647;
const maxSize = 1_000_000;

/** `verdict deployment …` */
export function registerDeployment(program: Command, session: Session): void {
  const deployment = program
    .command('deployment')
    .description('which version of a decision runs in which environment: the newest deployment of the two is in force');
  registerList(deployment, session);
  withConnection(deployment.command('create'))
    .description('deploy a version; from then on it answers all executions of that decision in that environment')
    .argument('<decision>', 'key or id')
    .addOption(requiredEnvironment('where'))
    .option('--version <n>', 'the version; 0 is the working copy; else the newest saved one', parseCount(0, maxVersion))
    .option('--name <name>', 'what people call it; else the key and the version')
    .option('--message <text>', 'why')
    .option('--deployed-by <name>', 'who deploys; else the user of this machine')
    .addHelpText(
      'after',
      examples(
        'deployment create shop/fees.json --environment 0190… --version 3',
        'deployment create shop/fees.json --environment 0190… --name "Spring rates" --deployed-by "release pipeline"',
      ),
    )
    .action((name: string, options: CreateOptions) => create(session, name, options));
  withConnection(deployment.command('rollback'))
    .description(
      'bring the version back that was in force before the present one, by deploying it once more: nothing is deleted, ' +
        'so history stays whole. Done twice, it brings back the first',
    )
    .argument('<decision>', 'key or id')
    .addOption(requiredEnvironment('where'))
    .option('--message <text>', 'why')
    .option('--deployed-by <name>', 'who deploys; else the user of this machine')
    .addHelpText('after', examples('deployment rollback shop/fees.json --environment 0190… --message "Wrong rates"'))
    .action((name: string, options: RollbackOptions) => rollback(session, name, options));
}

interface RollbackOptions extends ConnectionOptions {
  readonly environment: string;
  readonly message?: string;
  readonly deployedBy?: string;
}

interface CreateOptions extends RollbackOptions {
  readonly version?: number;
  readonly name?: string;
}

async function create(session: Session, decision: string, options: CreateOptions): Promise<void> {
  const service = session.service(options);
  const { id, key, latestVersion } = await findDecision(service, decision);
  const version = options.version ?? latestVersion;
  if (version === null) {
    throw new Refusal(
      `${JSON.stringify(key)} has no saved version. Save one (verdict decision save), or deploy the working copy: --version 0`,
    );
  }
  await deploy(session, service, {
    decisionId: id,
    version,
    name: options.name ?? nameFor(key, version),
    ...(await commonFields(service, options)),
  });
}

const nameFor = (key: string, version: number): string =>
  `${key.slice(0, 230)} ${version === 0 ? 'working copy' : `version ${version}`}`;

const commonFields = async (service: Service, { environment, message, deployedBy }: RollbackOptions) => ({
  environmentId: await environmentIdOf(service, environment),
  deployedBy: deployedBy ?? userName(),
  ...(message === undefined ? {} : { message }),
});

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no user has.
    return 'verdict';
  }
}

async function deploy(session: Session, service: Service, fields: CreateDeployment): Promise<void> {
  const { body } = await service.send(operations.createDeployment, { body: JSON.stringify(fields) });
  session.print(body, () =>
    record({
      name: body.name,
      id: body.id,
      decision: body.decisionId,
      version: body.version,
      environment: body.environmentId,
      message: body.message,
      'deployed by': body.deployedBy,
      created: body.createdAt,
    }),
  );
}

async function rollback(session: Session, decision: string, options: RollbackOptions): Promise<void> {
  const service = session.service(options);
  const { id, key } = await findDecision(service, decision);
  const environmentId = await environmentIdOf(service, options.environment);
  const history = (await newestFirst(service)).filter(
    (each) => each.decisionId === id && each.environmentId === environmentId,
  );
  const [present] = history;
  if (present === undefined) throw new Refusal(`${JSON.stringify(key)} is not deployed in this environment.`);
  const before = history.find(({ version }) => version !== present.version);
  if (before === undefined) {
    throw new Refusal(`no other version of ${JSON.stringify(key)} was ever in force in this environment.`);
  }
  const { version } = before;
  await deploy(session, service, {
    decisionId: id,
    version,
    name: `Rollback to ${nameFor(key, version)}`,
    ...(await commonFields(service, options)),
  });
}

/** Ids rise with time. */
async function newestFirst(service: Service): Promise<Deployment[]> {
  return (await service.all(operations.listDeployments)).reverse();
}

interface ListOptions extends ConnectionOptions {
  readonly size?: number;
  readonly environment?: string;
  readonly decision?: string;
}

function registerList(deployment: Command, session: Session): void {
  withConnection(deployment.command('list'))
    .description('list deployments, newest first, and which of them are in force')
    .option('--size <n>', 'how many at most; else all', parseCount(1, maxSize))
    .addOption(environmentOption('those of this environment alone'))
    .option('--decision <decision>', 'those of this decision alone; key or id')
    .addHelpText(
      'after',
      examples('deployment list --size 20', 'deployment list --environment Production --decision shop/fees.json'),
    )
    .action(async ({ environment: named, decision, size, ...options }: ListOptions) => {
      const service = session.service(options);
      const environment = await optionalEnvironment(service, named);
      const wanted = decision === undefined ? undefined : (await findDecision(service, decision)).id;
      const seen = new Set<string>();
      const deployments = (await newestFirst(service))
        .map((each) => {
          const pair = `${each.environmentId} ${each.decisionId}`;
          const inForce = !seen.has(pair);
          seen.add(pair);
          return { ...each, inForce };
        })
        .filter(
          ({ environmentId, decisionId }) =>
            (environment === undefined || environmentId === environment) &&
            (wanted === undefined || decisionId === wanted),
        )
        .slice(0, size);
      const principals = await principalsOf(service, deployments);
      session.print(
        { deployments: deployments.map((each) => ({ ...each, principal: principals.get(each.id) ?? null })) },
        () =>
          table(
            ['created', 'in force', 'version', 'name', 'by', 'signed in as', 'decision', 'environment', 'id'],
            deployments.map((each) => [
              ...[each.createdAt, each.inForce ? 'yes' : '', each.version, each.name, each.deployedBy],
              ...[principals.get(each.id) ?? '', each.decisionId, each.environmentId, each.id],
            ]),
          ),
      );
    });
}

/** An entry of the audit trail may be a little older than the deployment that it is of. */
const auditSlackMs = 60_000;

/**
 * Whose tokens made deployments, by their ids: `deployedBy` is what a client says of itself. Empty where the token may not
 * read the audit trail.
 */
async function principalsOf(
  service: Service,
  newestFirst: readonly Deployment[],
): Promise<ReadonlyMap<string, string>> {
  const oldest = newestFirst.at(-1);
  if (oldest === undefined) return new Map();
  const from = new Date(Date.parse(oldest.createdAt) - auditSlackMs).toISOString();
  const query = { resourceType: 'deployment', action: 'deployment.create', from };
  try {
    const entries = await service.all(operations.listAuditEntries, { query });
    return new Map(entries.map(({ resource, principal }) => [resource.id, principal]));
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status === 403) return new Map();
    throw error;
  }
}
