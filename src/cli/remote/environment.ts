import type { Command } from 'commander';
import type { CreateEnvironment, Environment, UpdateEnvironment } from '../../environments/environments.schema.js';
import { examples } from '../arguments.js';
import { UsageError } from '../failures.js';
import type { Session } from '../session.js';
import { record, table } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { environmentIdOf, environmentOption, optionalEnvironment } from './find.js';
import { operations } from '#openapi/operations.gen.js';

/** `verdict environment …` */
export function registerEnvironment(program: Command, session: Session): void {
  const environment = program.command('environment').description('where decisions run');
  registerWrite(environment, session);
  withConnection(environment.command('list'))
    .description("list the workspace's environments, oldest first")
    .addHelpText('after', examples('environment list'))
    .action(async (options: ConnectionOptions) => {
      const environments = await session.service(options).all(operations.listEnvironments);
      session.print({ environments }, () =>
        table(
          ['name', 'id', 'created'],
          environments.map(({ name, id, createdAt }) => [name, id, createdAt]),
        ),
      );
    });
  withConnection(environment.command('show'))
    .description('show an environment')
    .argument('<environment>', 'name or id')
    .addHelpText('after', examples('environment show Production'))
    .action(async (name: string, options: ConnectionOptions) => {
      const service = session.service(options);
      const id = await environmentIdOf(service, name);
      const { body } = await service.send(operations.getEnvironment, { params: { id } });
      printOne(session, body);
    });
  withConnection(environment.command('delete'))
    .description('delete an environment with its deployments; refused where something was executed in it')
    .argument('<environment>', 'name or id')
    .addHelpText('after', examples('environment delete 0190…'))
    .action(async (name: string, options: ConnectionOptions) => {
      const service = session.service(options);
      const id = await environmentIdOf(service, name);
      await service.send(operations.deleteEnvironment, { params: { id } });
      session.print({ id, removed: true }, () => `${id} is removed`);
    });
  registerHosts(environment, session);
}

interface Fields extends ConnectionOptions {
  readonly name?: string;
  readonly description?: string;
  readonly color?: string;
}

const withFields = (command: Command): Command =>
  command.option('--description <text>', 'at most 4,000 characters').option('--color <colour>', '#RGB or #RRGGBB');

function registerWrite(environment: Command, session: Session): void {
  withFields(withConnection(environment.command('create')))
    .description('make an environment')
    .requiredOption('--name <name>', 'what people call it; 1 to 255 characters')
    .addHelpText(
      'after',
      examples('environment create --name Production', 'environment create --name Test --color "#0EA5E9"'),
    )
    .action(async ({ name = '', description, color, ...options }: Fields) => {
      const fields: CreateEnvironment = {
        name,
        ...(description === undefined ? {} : { description }),
        ...(color === undefined ? {} : { color }),
      };
      const { body } = await session
        .service(options)
        .send(operations.createEnvironment, { body: JSON.stringify(fields) });
      printOne(session, body);
    });
  withFields(withConnection(environment.command('update')))
    .description('change what an environment is called, or how it looks')
    .argument('<environment>', 'name or id')
    .option('--name <name>', 'what people call it; 1 to 255 characters')
    .addHelpText('after', examples('environment update 0190… --name "Production (EU)"'))
    .action(async (present: string, { name, description, color, ...options }: Fields) => {
      const fields: UpdateEnvironment = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(color === undefined ? {} : { color }),
      };
      if (Object.keys(fields).length === 0) throw new UsageError('say what changes: --name, --description or --color.');
      const service = session.service(options);
      const request = { params: { id: await environmentIdOf(service, present) }, body: JSON.stringify(fields) };
      const { body } = await service.send(operations.updateEnvironment, request);
      printOne(session, body);
    });
}

function printOne(session: Session, environment: Environment): void {
  const { id, name, description, color, createdAt, updatedAt } = environment;
  session.print(environment, () => record({ name, id, description, color, created: createdAt, updated: updatedAt }));
}

interface HostsOptions extends ConnectionOptions {
  readonly environment?: string;
}

function registerHosts(environment: Command, session: Session): void {
  const hosts = environment.command('hosts').description('hosts that function nodes may call by http; none at first');
  const ofOne = environmentOption("the environment; else the workspace's evaluations");
  withConnection(hosts.command('show'))
    .description('show the list')
    .addOption(ofOne)
    .addHelpText('after', examples('environment hosts show --environment 0190…', 'environment hosts show'))
    .action(async ({ environment: named, ...options }: HostsOptions) => {
      const service = session.service(options);
      const id = await optionalEnvironment(service, named);
      const { body } = await (id === undefined
        ? service.send(operations.getEvaluationHosts)
        : service.send(operations.getHosts, { params: { id } }));
      printHosts(session, id, body.hosts);
    });
  withConnection(hosts.command('set'))
    .description('replace the list; without hosts, nothing may be called')
    .argument('[host...]', 'host, host:port or *.host (its subdomains)')
    .addOption(ofOne)
    .addHelpText('after', examples('environment hosts set api.example.com "*.example.org" --environment 0190…'))
    .action(async (given: string[], { environment: named, ...options }: HostsOptions) => {
      const service = session.service(options);
      const id = await optionalEnvironment(service, named);
      const request = { body: JSON.stringify({ hosts: given }) };
      const { body } = await (id === undefined
        ? service.send(operations.setEvaluationHosts, request)
        : service.send(operations.setHosts, { ...request, params: { id } }));
      printHosts(session, id, body.hosts);
    });
}

function printHosts(session: Session, environment: string | undefined, hosts: readonly string[]): void {
  const of = environment === undefined ? { of: 'evaluations' } : { environment };
  session.print({ environmentId: environment ?? null, hosts }, () =>
    record({ ...of, hosts: hosts.length === 0 ? 'none: function nodes can call nothing' : hosts.join(' ') }),
  );
}
