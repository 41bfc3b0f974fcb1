import { Option, type Command } from 'commander';
import { scopes as knownScopes } from '../oauth/scopes.js';
import { listPolicies } from '../workspaces/policies.store.js';
import type { Policy } from '../workspaces/policies.js';
import { removePolicy, setPolicy } from '../workspaces/workspaces.service.js';
import { collect, examples, parseId, requiredId } from './arguments.js';
import type { Session } from './session.js';
import { table } from './table.js';

/** `verdict policy …` */
export function registerPolicy(program: Command, session: Session): void {
  const policy = program
    .command('policy')
    .description(
      'what end users (tokens of TRUSTED_ISSUERS) may do in a workspace: what some policy allows them and no policy ' +
        'denies them. A change takes effect within 5 s',
    );
  registerSet(policy, session);
  policy
    .command('list')
    .description("show a workspace's policies, oldest first")
    .addOption(requiredId('workspace', 'the workspace'))
    .addHelpText('after', examples('policy list --workspace 0190…'))
    .action(async ({ workspace }: { workspace: string }) => {
      const policies = await listPolicies(session.database(), workspace);
      session.print({ policies }, () => draw(policies));
    });
  policy
    .command('remove')
    .description('remove a policy')
    .addOption(requiredId('workspace', 'the workspace'))
    .argument('<policy>', "the policy's id", parseId)
    .addHelpText('after', examples('policy remove --workspace 0190… 0190…'))
    .action(async (id: string, { workspace }: { workspace: string }) => {
      await removePolicy(session.stores(), workspace, id);
      session.print({ id, removed: true }, () => `removed ${id}`);
    });
}

interface SetOptions {
  readonly workspace: string;
  readonly effect: 'allow' | 'deny';
  readonly scopes: string;
  readonly subject?: readonly string[];
  readonly role?: readonly string[];
}

function registerSet(policy: Command, session: Session): void {
  policy
    .command('set')
    .description('add a policy. It applies to the users that --subject names and to those who have a --role')
    .addOption(requiredId('workspace', 'the workspace'))
    .addOption(new Option('--effect <effect>', 'deny wins over allow').choices(['allow', 'deny']).makeOptionMandatory())
    .requiredOption('--scopes <scopes>', `space separated: ${knownScopes.join(' ')}`)
    .option(
      '--subject <subject>',
      '`<issuer>#<sub>`, or a bare `<sub>` of whichever trusted issuer, or `*` for every user; repeatable',
      collect(String),
    )
    .option('--role <role>', "a value of the token's claim `roles`; repeatable", collect(String))
    .addHelpText(
      'after',
      examples(
        'policy set --workspace 0190… --effect allow --role editor --scopes "environments:read environment:write"',
        'policy set --workspace 0190… --effect deny --subject "https://id.example#bob" --scopes environment:write',
      ),
    )
    .action(async ({ workspace, effect, scopes, subject = [], role = [] }: SetOptions) => {
      const made = await setPolicy(session.stores(), workspace, { effect, scopes, subjects: subject, roles: role });
      session.print(made, () => draw([made]));
    });
}

const draw = (policies: readonly Policy[]): string =>
  table(
    ['id', 'effect', 'subjects', 'roles', 'scopes'],
    policies.map(({ id, effect, subjects, roles, scopes }) => [
      id,
      effect,
      subjects.join(' '),
      roles.join(' '),
      scopes.join(' '),
    ]),
  );
