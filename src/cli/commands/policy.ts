import type { Policy } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { scopes as knownScopes } from '../../oauth/scopes.js';
import { command, list, type CommandGroup } from '../command.js';
import { choice, date, id, many, parsed, scopesOf, required } from '../params.js';
import { tableOf, type Columns } from '../tableOf.js';

const of = {
  id: required({ ...id('--workspace <id>', 'the workspace; else VERDICT_WORKSPACE'), variable: 'VERDICT_WORKSPACE' }),
};
const columns: Columns<Policy> = {
  id: 'id',
  effect: 'effect',
  subjects: ({ subjects }) => subjects.join(' '),
  roles: ({ roles }) => roles.join(' '),
  scopes: ({ scopes }) => scopes.join(' '),
  expires: 'expiresAt',
};

export const policyCommands: CommandGroup = {
  groups: {
    policy:
      'what end users (tokens of TRUSTED_ISSUERS) may do in a workspace: what some policy allows them and no policy ' +
      'denies them. A change takes effect within 5 s',
  },
  commands: [
    command({
      name: 'policy set',
      about: 'add a policy. It applies to the users that --subject names and to those who have a --role',
      examples: [
        'policy set --workspace 0190… --effect allow --role editor --scopes "environments:read environment:write"',
        'policy set --workspace 0190… --effect deny --subject "https://id.example#bob" --scopes environment:write',
      ],
      where: 'tenant',
      options: {
        ...of,
        effect: required(choice('--effect <effect>', 'deny wins over allow', ['allow', 'deny'])),
        scopes: required(parsed('--scopes <scopes>', `space separated: ${knownScopes.join(' ')}`, scopesOf)),
        subjects: many(
          '--subject <subject>',
          '`<issuer>#<sub>`, or a bare `<sub>` of whichever trusted issuer, or `*` for every user; repeatable',
          String,
        ),
        expiresAt: date('--expires <date>', 'from then on it does not count'),
        roles: many('--role <role>', "a value of the token's claim `roles`; repeatable", String),
      },
      run: async ({ ask }, input) => (await ask(operations.createPolicy, input)).body,
      text: (made) => tableOf(columns, [made]),
    }),
    list({
      name: 'policy list',
      about: "show a workspace's policies, oldest first",
      examples: ['policy list --workspace 0190…'],
      where: 'tenant',
      options: of,
      operation: operations.listPolicies,
      as: 'policies',
      columns,
    }),
    command({
      name: 'policy remove',
      about: 'remove a policy',
      examples: ['policy remove --workspace 0190… 0190…'],
      where: 'tenant',
      args: { policyId: id('<policy>', "the policy's id") },
      options: of,
      async run({ ask }, input) {
        await ask(operations.deletePolicy, input);
        return { id: input.policyId, removed: true };
      },
      text: ({ id }) => `removed ${id}`,
    }),
  ],
};
