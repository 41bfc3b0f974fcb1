import type { Environment, Protection, Retention } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { command, list, show, type Call, type CommandGroup } from '../command.js';
import { requireChange, UsageError } from '../failures.js';
import { count, flag, many, required, share, text } from '../params.js';
import { environmentId } from '../remote/named.js';
import { fieldsOf, record, type Columns } from '../tableOf.js';

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

const protectionFields: Columns<Protection> = {
  approvals: 'approvals',
  'author may approve': 'authorMayApprove',
  'tests pass': ({ requires }) => requires.tests,
  'analysis proves no fault': ({ requires }) => requires.analysis,
  replay: ({ requires }) => requires.replay,
  'coverage of tests': ({ requires }) => requires.coverage,
  'may be applied in an emergency': 'override',
};
const retentionFields: Columns<Retention> = { days: ({ days }) => days ?? 'all are kept' };

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
    'environment protection': 'what a change of what is in force needs: a request, its checks and approvals',
    'environment retention': 'how long executions are kept',
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
    show({
      name: 'environment protection show',
      about: 'show how an environment is protected',
      examples: ['environment protection show Production'],
      args: one,
      operation: operations.getProtection,
      fields: protectionFields,
    }),
    command({
      name: 'environment protection set',
      about: 'protect an environment, in place of how it was protected before: what is left out is not asked for',
      examples: [
        'environment protection set Production --approvals 2 --tests --analysis --replay "changed <= 0.5%"',
        'environment protection set Test --approvals 1 --author-may-approve',
      ],
      args: one,
      options: {
        approvals: required(count('--approvals <n>', 'how many people or programs must approve, 1 to 5', [1, 5])),
        authorMayApprove: flag('--author-may-approve', 'who wrote the request or the version counts as well'),
        tests: flag('--tests', "the model's own tests must pass"),
        analysis: flag('--analysis', 'no gap, row that is never reached, conflict or failure may be proved'),
        replay: text('--replay <bound>', 'what a replay of recorded executions must keep, such as "changed <= 0.5%"'),
        coverage: share('--coverage <share>', 'the least share of rows that tests reach, above 0, at most 1'),
        override: flag('--override', 'change:override may apply what nobody approved'),
      },
      async run({ ask }, { id, tests, analysis, replay, coverage, ...input }) {
        const requires = { tests, analysis, replay, coverage };
        return (await ask(operations.setProtection, { id, ...input, requires })).body;
      },
      text: (body) => fieldsOf(protectionFields, body),
    }),
    command({
      name: 'environment protection remove',
      about: 'protect an environment no more',
      examples: ['environment protection remove Test'],
      args: one,
      run: async ({ ask }, input) => ({ id: (await ask(operations.deleteProtection, input)).asked.id, removed: true }),
      text: ({ id }) => `${String(id)} is not protected any more`,
    }),
    show({
      name: 'environment retention show',
      about: 'show for how long executions are kept',
      examples: ['environment retention show Production'],
      args: one,
      operation: operations.getRetention,
      fields: retentionFields,
    }),
    command({
      name: 'environment retention set',
      about: 'have executions removed that are older: they cannot be shown, explained or replayed then',
      examples: ['environment retention set Production --days 365', 'environment retention set Test --forever'],
      args: one,
      options: {
        days: count('--days <n>', 'how many days they are kept, 1 to 3650', [1, 3650]),
        forever: flag('--forever', 'none is removed'),
      },
      check({ days, forever = false }) {
        if ((days !== undefined) === forever) throw new UsageError('give one of --days and --forever.');
      },
      run: async ({ ask }: Call, { id, days }) => (await ask(operations.setRetention, { id, days: days ?? null })).body,
      text: (body) => fieldsOf(retentionFields, body),
    }),
  ],
};
