import type { Command } from 'commander';
import type { Inquiry } from '../inquiries/inquiries.schema.js';
import { listInquiries } from '../inquiries/admin.store.js';
import { completeInquiry, createInquiry, deleteInquiry, showInquiry } from '../inquiries/inquiries.service.js';
import { collect, examples, parseCount, parseId, parsePair, requiredId } from './arguments.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

/** `verdict inquiry …` */
export function registerInquiry(program: Command, session: Session): void {
  const inquiry = program
    .command('inquiry')
    .description('flows in which a person gives consents; integrators update them through the API');
  registerCreate(inquiry, session);
  registerList(inquiry, session);
  inquiry
    .command('show')
    .description('show all that is stored of an inquiry, the person and the link among it')
    .argument('<inquiry>', 'its id', parseId)
    .option('--tenant <id>', 'the tenant that it must belong to', parseId)
    .addHelpText('after', examples('inquiry show 0190…', 'inquiry show 0190… --json'))
    .action(async (id: string, { tenant }: { tenant?: string }) => {
      print(session, await showInquiry(session.stores(), { id, tenantId: tenant }));
    });
  registerComplete(inquiry, session);
  inquiry
    .command('delete')
    .description("delete an inquiry and its person's data for good; what is being sent may still arrive")
    .argument('<inquiry>', 'its id', parseId)
    .option('--tenant <id>', 'the tenant that it must belong to', parseId)
    .addHelpText('after', examples('inquiry delete 0190…', 'inquiry delete 0190… --tenant 0190…'))
    .action(async (id: string, { tenant }: { tenant?: string }) => {
      const deleted = await deleteInquiry(session.stores(), { id, tenantId: tenant });
      session.print({ ...deleted, deleted: true }, () =>
        record({ id: deleted.id, tenant: deleted.tenantId, deleted: true }),
      );
    });
}

interface ListOptions {
  readonly tenant?: string;
  readonly size: number;
  readonly olderThan?: string;
}

function registerList(inquiry: Command, session: Session): void {
  inquiry
    .command('list')
    .description('list inquiries, newest first, without what names people; see `inquiry show`')
    .option('--tenant <id>', "this tenant's alone", parseId)
    .option('--size <n>', 'how many at most, 1 to 5000', parseCount(1, 5000), 50)
    .option('--older-than <id>', 'continue after this inquiry', parseId)
    .addHelpText('after', examples('inquiry list --tenant 0190…', 'inquiry list --size 5000 --json'))
    .action(async ({ tenant, size, olderThan }: ListOptions) => {
      const inquiries = await listInquiries(session.database(), tenant, { size, olderThan });
      session.print({ inquiries }, () =>
        table(
          ['created', 'completed', 'external id', 'updated', 'tenant', 'id'],
          inquiries.map((each) => [
            ...[each.createdAt, each.completed, each.externalId],
            ...[each.updatedAt, each.tenantId, each.id],
          ]),
        ),
      );
    });
}

interface CreateOptions {
  readonly tenant: string;
  readonly person: string;
  readonly externalId?: string;
  readonly prerequisite?: readonly (readonly [string, string])[];
}

function registerCreate(inquiry: Command, session: Session): void {
  inquiry
    .command('create')
    .description('make an inquiry and print it with the link that the person starts the flow by')
    .addOption(requiredId('tenant', 'the tenant whose inquiry it is'))
    .requiredOption('--person <id>', 'whom it is for: 1 to 255 characters; encrypted at rest')
    .option('--external-id <id>', "the integrator's own id, which events carry; at most 255 characters")
    .option('--prerequisite <type=url>', 'what the person has to complete, and where; repeatable', collect(parsePair))
    .addHelpText(
      'after',
      examples(
        'inquiry create --tenant 0190… --person 120190-123X',
        'inquiry create --tenant 0190… --person 42 --external-id order-7 --prerequisite CONSENT=https://consent.example/7',
      ),
    )
    .action(async ({ tenant, person, externalId, prerequisite = [] }: CreateOptions) => {
      const made = await createInquiry(session.stores(), {
        tenantId: tenant,
        personId: person,
        externalId: externalId ?? null,
        prerequisites: prerequisite.map(([type, url]) => ({ type, url })),
        flowUrl: session.config().inquiryUrl,
      });
      print(session, { tenantId: tenant, ...made });
    });
}

interface CompleteOptions {
  readonly tenant?: string;
  readonly prerequisite?: readonly string[];
  readonly authorizationCode?: string;
}

function registerComplete(inquiry: Command, session: Session): void {
  inquiry
    .command('complete')
    .description('record what the person has done; the inquiry is complete once all its prerequisites are')
    .argument('<inquiry>', 'its id', parseId)
    .option('--tenant <id>', 'the tenant that it must belong to', parseId)
    .option('--prerequisite <id>', 'a prerequisite that is complete; repeatable; else all are', collect(parseId))
    .option('--authorization-code <code>', "the portal's code that the person's data is fetched with")
    .addHelpText('after', examples('inquiry complete 0190…', 'inquiry complete 0190… --prerequisite 0190…'))
    .action(async (id: string, { tenant, prerequisite = [], authorizationCode }: CompleteOptions) => {
      const completion = { prerequisites: prerequisite, authorizationCode };
      print(session, await completeInquiry(session.stores(), { id, tenantId: tenant }, completion));
    });
}

function print(session: Session, inquiry: Inquiry & { readonly tenantId: string }): void {
  session.print(inquiry, () =>
    record({
      id: inquiry.id,
      tenant: inquiry.tenantId,
      person: inquiry.personId,
      url: inquiry.url,
      'external id': inquiry.externalId,
      completed: inquiry.completed,
      'skip consent messages': inquiry.skipConsentMessages,
      'on success': inquiry.redirect.onSuccess,
      'on error': inquiry.redirect.onError,
      'authorization code': inquiry.authorizationCode,
      ...Object.fromEntries(
        inquiry.prerequisites.map((each, index) => [
          `prerequisite ${index + 1}`,
          `${each.id} ${each.type} ${each.completed ? 'complete' : 'open'} ${each.url}`,
        ]),
      ),
      ...Object.fromEntries(
        inquiry.notifications.map((each, index) => [
          `notification ${index + 1}`,
          `${each.id} ${each.state} ${each.type} to ${each.to}: ${each.message}`,
        ]),
      ),
      created: inquiry.createdAt,
      updated: inquiry.updatedAt,
    }),
  );
}
