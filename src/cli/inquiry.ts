import type { Command } from 'commander';
import type { Inquiry } from '../inquiries/inquiries.schema.js';
import { completeInquiry, createInquiry, showInquiry } from '../inquiries/inquiries.service.js';
import { collect, examples, parseId, parsePair, requiredId } from './arguments.js';
import type { Session } from './session.js';
import { record } from './table.js';

/** `verdict inquiry …` */
export function registerInquiry(program: Command, session: Session): void {
  const inquiry = program
    .command('inquiry')
    .description('flows in which a person gives consents; integrators update them through the API');
  registerCreate(inquiry, session);
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
          `${each.type} to ${each.to}: ${each.message}`,
        ]),
      ),
      created: inquiry.createdAt,
      updated: inquiry.updatedAt,
    }),
  );
}
