import { Option, type Command } from 'commander';
import { scopes as knownScopes } from '../oauth/scopes.js';
import { listPolicies } from '../workspaces/policies.store.js';
import type { Policy } from '../workspaces/policies.js';
import { removePolicy, setPolicy } from '../access/workspaces.service.js';
import { collect, examples, parseDate, parseId, requiredId } from './arguments.js';
import { withServer } from './remote/connection.js';
import { serviceUnlessOperator, type EitherOptions } from './remote/either.js';
import { operations } from '#openapi/operations.gen.js';
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
  withServer(policy.command('list'))
    .description("show a workspace's policies, oldest first")
    .addOption(requiredId('workspace', 'the workspace'))
    .addHelpText('after', examples('policy list --workspace 0190…'))
    .action(async ({ workspace, ...options }: EitherOptions & { workspace: string }) => {
      const service = serviceUnlessOperator(session, options);
      const policies = await (service === undefined
        ? listPolicies(session.database(), workspace)
        : service.all(operations.listPolicies, { params: { id: workspace } }));
      session.print({ policies }, () => draw(policies));
    });
  withServer(policy.command('remove'))
    .description('remove a policy')
    .addOption(requiredId('workspace', 'the workspace'))
    .argument('<policy>', "the policy's id", parseId)
    .addHelpText('after', examples('policy remove --workspace 0190… 0190…'))
    .action(async (id: string, { workspace, ...options }: EitherOptions & { workspace: string }) => {
      const service = serviceUnlessOperator(session, options);
      if (service === undefined) await removePolicy(session.stores(), { workspaceId: workspace, policyId: id });
      else await service.send(operations.deletePolicy, { params: { id: workspace, policyId: id } });
      session.print({ id, removed: true }, () => `removed ${id}`);
    });
}

interface SetOptions extends EitherOptions {
  readonly expires?: Date;
  readonly workspace: string;
  readonly effect: 'allow' | 'deny';
  readonly scopes: string;
  readonly subject?: readonly string[];
  readonly role?: readonly string[];
}

function registerSet(policy: Command, session: Session): void {
  withServer(policy.command('set'))
    .description('add a policy. It applies to the users that --subject names and to those who have a --role')
    .addOption(requiredId('workspace', 'the workspace'))
    .addOption(new Option('--effect <effect>', 'deny wins over allow').choices(['allow', 'deny']).makeOptionMandatory())
    .requiredOption('--scopes <scopes>', `space separated: ${knownScopes.join(' ')}`)
    .option(
      '--subject <subject>',
      '`<issuer>#<sub>`, or a bare `<sub>` of whichever trusted issuer, or `*` for every user; repeatable',
      collect(String),
    )
    .option('--expires <date>', 'from then on it does not count', parseDate)
    .option('--role <role>', "a value of the token's claim `roles`; repeatable", collect(String))
    .addHelpText(
      'after',
      examples(
        'policy set --workspace 0190… --effect allow --role editor --scopes "environments:read environment:write"',
        'policy set --workspace 0190… --effect deny --subject "https://id.example#bob" --scopes environment:write',
      ),
    )
    .action(async ({ workspace, effect, scopes, subject = [], role = [], expires, ...options }: SetOptions) => {
      const service = serviceUnlessOperator(session, options);
      const fields = { effect, subjects: subject, roles: role, expiresAt: expires?.toISOString() ?? null };
      const body = JSON.stringify({ ...fields, scopes: scopes.split(' ').filter((scope) => scope !== '') });
      const made =
        service === undefined
          ? await setPolicy(session.stores(), { workspaceId: workspace }, { ...fields, scopes })
          : (await service.send(operations.createPolicy, { params: { id: workspace }, body })).body;
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
