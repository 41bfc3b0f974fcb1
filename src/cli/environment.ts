import type { Command } from 'commander';
import { listEnvironments } from '../environments/environments.store.js';
import { parseHost } from '../http/routes/formats.js';
import { readHttpHosts, writeHttpHosts } from '../environments/hosts.store.js';
import { maxPageSize } from '../http/routes/paginate.js';
import { idToBytes } from '../storage/ids.js';
import { examples, requiredId } from './arguments.js';
import { UsageError } from './failures.js';
import { withEnvironmentOptions, environmentOf, type EnvironmentOptions } from './environmentOptions.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

/** `verdict environment …`: environments themselves are made through the API. */
export function registerEnvironment(program: Command, session: Session): void {
  const environment = program.command('environment').description('where decisions run');
  environment
    .command('list')
    .description("list the workspace's environments, oldest first")
    .addOption(requiredId('workspace', 'the workspace'))
    .addHelpText('after', examples('environment list --workspace 0190…'))
    .action(async ({ workspace }: { workspace: string }) => {
      const environments = await all(session, workspace);
      session.print({ environments }, () =>
        table(
          ['name', 'id', 'created'],
          environments.map(({ name, id, createdAt }) => [name, id, createdAt]),
        ),
      );
    });
  const hosts = environment.command('hosts').description('hosts that function nodes may call by http; none at first');
  withEnvironmentOptions(hosts.command('show'))
    .description('show the list')
    .addHelpText('after', examples('environment hosts show --workspace 0190… --environment 0190…'))
    .action(async (place: EnvironmentOptions) =>
      print(session, place, await readHttpHosts(session.database(), environmentOf(place))),
    );
  withEnvironmentOptions(hosts.command('set'))
    .description('replace the list; without hosts, nothing may be called')
    .argument('[host...]', 'host, host:port or *.host (its subdomains)')
    .addHelpText(
      'after',
      examples('environment hosts set api.example.com "*.example.org" --workspace 0190… --environment 0190…'),
    )
    .action(async (given: string[], place: EnvironmentOptions) => {
      const list = [...new Set(given.map(checkedHost))];
      await writeHttpHosts(session.stores(), environmentOf(place), { hosts: list });
      print(session, place, list);
    });
}

async function all(session: Session, workspaceId: string) {
  const found = [];
  for (let after: Buffer | null = null; ;) {
    const { data } = await listEnvironments(session.database(), workspaceId, {
      size: maxPageSize,
      after,
      before: null,
    });
    found.push(...data);
    const last = data.at(-1);
    if (last === undefined || data.length < maxPageSize) return found;
    after = idToBytes(last.id);
  }
}

function checkedHost(text: string): string {
  const host = parseHost(text);
  if (host === undefined) {
    throw new UsageError(
      `${JSON.stringify(text)} is no host; give api.example.com, api.example.com:8443 or *.example.com.`,
    );
  }
  return host;
}

function print(session: Session, { environment }: EnvironmentOptions, hosts: readonly string[]): void {
  session.print({ environmentId: environment, hosts }, () =>
    record({ environment, hosts: hosts.length === 0 ? 'none: function nodes can call nothing' : hosts.join(' ') }),
  );
}
