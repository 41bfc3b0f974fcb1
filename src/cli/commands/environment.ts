import type { Environment } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { command, list, show, type CommandGroup } from '../command.js';
import { requireChange } from '../failures.js';
import { many, required, text } from '../params.js';
import { environmentId } from '../remote/named.js';
import { record, type Columns } from '../tableOf.js';

const one = { id: environmentId('<environment>', 'name or id') };
const name = text('--name <name>', 'what people call it; 1 to 255 characters');
const look = {
  description: text('--description <text>', 'at most 4,000 characters'),
  color: text('--color <colour>', '#RGB or #RRGGBB'),
};
const fields: Columns<Environment> = {
  name: 'name',
  id: 'id',
  description: 'description',
  color: 'color',
  created: 'createdAt',
  updated: 'updatedAt',
};

const ofOne = {
  id: environmentId('--environment <environment>', "the environment; else the workspace's evaluations; name or id"),
};

interface Hosts {
  readonly environmentId: unknown;
  readonly hosts: readonly string[];
}

const hostsText = ({ environmentId, hosts }: Hosts): string =>
  record({
    ...(environmentId === null ? { of: 'evaluations' } : { environment: environmentId }),
    hosts: hosts.length === 0 ? 'none: function nodes can call nothing' : hosts.join(' '),
  });

export const environmentCommands: CommandGroup = {
  groups: {
    environment: 'where decisions run',
    'environment hosts': 'hosts that function nodes may call by http; none at first',
  },
  commands: [
    show({
      name: 'environment create',
      about: 'make an environment',
      examples: ['environment create --name Production', 'environment create --name Test --color "#0EA5E9"'],
      options: { ...look, name: required(name) },
      operation: operations.createEnvironment,
      fields,
    }),
    show({
      name: 'environment update',
      about: 'change what an environment is called, or how it looks',
      examples: ['environment update 0190… --name "Production (EU)"'],
      args: one,
      options: { ...look, name },
      check: ({ name, description, color }) =>
        requireChange({ name, description, color }, 'say what changes: --name, --description or --color.'),
      operation: operations.updateEnvironment,
      fields,
    }),
    list({
      name: 'environment list',
      about: "list the workspace's environments, oldest first",
      examples: ['environment list'],
      operation: operations.listEnvironments,
      as: 'environments',
      columns: { name: 'name', id: 'id', created: 'createdAt' },
    }),
    show({
      name: 'environment show',
      about: 'show an environment',
      examples: ['environment show Production'],
      args: one,
      operation: operations.getEnvironment,
      fields,
    }),
    command({
      name: 'environment delete',
      about: 'delete an environment with its deployments; refused where something was executed in it',
      examples: ['environment delete 0190…'],
      args: one,
      run: async ({ ask }, input) => ({ id: (await ask(operations.deleteEnvironment, input)).asked.id, removed: true }),
      text: ({ id }) => `${String(id)} is removed`,
    }),
    command({
      name: 'environment hosts show',
      about: 'show the list',
      examples: ['environment hosts show --environment 0190…', 'environment hosts show'],
      options: ofOne,
      async run({ ask }, { id }) {
        const { body, asked } = await ask(id === undefined ? operations.getEvaluationHosts : operations.getHosts, {
          id,
        });
        return { environmentId: asked.id ?? null, hosts: body.hosts };
      },
      text: hostsText,
    }),
    command({
      name: 'environment hosts set',
      about: 'replace the list; without hosts, nothing may be called',
      examples: ['environment hosts set api.example.com "*.example.org" --environment 0190…'],
      args: { hosts: many('[host...]', 'host, host:port or *.host (its subdomains)', String) },
      options: ofOne,
      async run({ ask }, { id, hosts = [] }) {
        const operation = id === undefined ? operations.setEvaluationHosts : operations.setHosts;
        const { body, asked } = await ask(operation, { id, hosts });
        return { environmentId: asked.id ?? null, hosts: body.hosts };
      },
      text: hostsText,
    }),
  ],
};
