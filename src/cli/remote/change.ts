import { Option, type Command } from 'commander';
import type { ChangeRequest } from '#openapi/types.gen.js';
import { states, verdicts } from '../../changes/changes.schema.js';
import { examples, parseId } from '../arguments.js';
import type { Session } from '../session.js';
import { table } from '../table.js';
import { registerCreate } from './changeCreate.js';
import { shownRequest } from './changeText.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { environmentOption, findDecision, optionalEnvironment } from './find.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from './service.js';

/** `verdict change …` */
export function registerChange(program: Command, session: Session): void {
  const change = program
    .command('change')
    .description('change requests: what runs in a protected environment changes by what others approved');
  registerCreate(change, session);
  registerList(change, session);
  withConnection(change.command('show'))
    .description('show a request with its checks and reviews')
    .argument('<request>', 'its id', parseId)
    .addHelpText('after', examples('change show 0190…'))
    .action(async (id: string, options: ConnectionOptions) => {
      const service = session.service(options);
      await show(session, service, await read(service, id));
    });
  for (const verdict of verdicts) registerReview(change, session, verdict);
  registerApply(change, session);
  withConnection(change.command('close'))
    .description('close a request that is not wanted any more')
    .argument('<request>', 'its id', parseId)
    .addHelpText('after', examples('change close 0190…'))
    .action(async (id: string, options: ConnectionOptions) => {
      const service = session.service(options);
      const { body } = await service.send(operations.closeChangeRequest, { params: { id } });
      await show(session, service, body);
    });
}

const read = async (service: Service, id: string): Promise<ChangeRequest> =>
  (await service.send(operations.getChangeRequest, { params: { id } })).body;

const show = async (session: Session, service: Service, request: ChangeRequest): Promise<void> => {
  const text = session.json ? '' : await shownRequest(service, request);
  session.print(request, () => text);
};

interface ListOptions extends ConnectionOptions {
  readonly state?: (typeof states)[number];
  readonly environment?: string;
  readonly decision?: string;
  readonly author?: string;
}

function registerList(change: Command, session: Session): void {
  withConnection(change.command('list'))
    .description('list requests, newest first')
    .addOption(new Option('--state <state>', 'those in this state alone').choices(states))
    .addOption(environmentOption('those of this environment alone'))
    .option('--decision <decision>', 'those that deploy this decision; key or id')
    .option('--author <principal>', 'those of this principal, such as client:0190…')
    .addHelpText('after', examples('change list', 'change list --state APPROVED --environment 0190…'))
    .action(async ({ state, environment, decision, author, ...options }: ListOptions) => {
      const service = session.service(options);
      const environmentId = await optionalEnvironment(service, environment);
      const decisionId = decision === undefined ? undefined : (await findDecision(service, decision)).id;
      const query = { state, environmentId, decisionId, author, order: 'desc' };
      const changeRequests = await service.all(operations.listChangeRequests, { query });
      session.print({ changeRequests }, () =>
        table(
          ['created', 'state', 'title', 'author', 'environment', 'id'],
          changeRequests.map((each) => [
            ...[each.createdAt, each.state, each.title, each.author],
            ...[each.environmentId, each.id],
          ]),
        ),
      );
    });
}

interface ReviewOptions extends ConnectionOptions {
  readonly digest?: string;
  readonly message?: string;
}

const purposes: Readonly<Record<(typeof verdicts)[number], string>> = {
  approve: 'approve what a request would bring into force',
  reject: 'reject a request, which ends it',
  comment: 'say something about a request',
};

function registerReview(change: Command, session: Session, verdict: (typeof verdicts)[number]): void {
  withConnection(change.command(verdict))
    .description(purposes[verdict])
    .argument('<request>', 'its id', parseId)
    .option('--digest <digest>', 'what was looked at: refused where it is another by now; else what it is now')
    .option('--message <text>', 'why')
    .addHelpText('after', examples(`change ${verdict} 0190… --message "As agreed"`))
    .action(async (id: string, { digest, message, ...options }: ReviewOptions) => {
      const service = session.service(options);
      const seen = digest ?? (await read(service, id)).digest;
      const body = JSON.stringify({ verdict, digest: seen, ...(message === undefined ? {} : { message }) });
      const answer = await service.send(operations.reviewChangeRequest, { params: { id }, body });
      await show(session, service, answer.body);
    });
}

interface ApplyOptions extends ConnectionOptions {
  readonly override?: string;
}

function registerApply(change: Command, session: Session): void {
  withConnection(change.command('apply'))
    .description('bring an approved request into force, all of it at once')
    .argument('<request>', 'its id', parseId)
    .option(
      '--override <reason>',
      'apply what is not approved, where the protection allows it; audited with the reason',
    )
    .addHelpText('after', examples('change apply 0190…', 'change apply 0190… --override "Outage, call 4711"'))
    .action(async (id: string, { override: reason, ...options }: ApplyOptions) => {
      const service = session.service(options);
      const body = JSON.stringify(reason === undefined ? {} : { override: { reason } });
      const answer = await service.send(operations.applyChangeRequest, { params: { id }, body });
      await show(session, service, answer.body);
    });
}
