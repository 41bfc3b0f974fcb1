import type { Command } from 'commander';
import type { Inquiry, InquirySummary } from '../inquiries/inquiries.schema.js';
import { listInquiries } from '../inquiries/admin.store.js';
import { completing, type Completion } from '../inquiries/change.js';
import { createInquiry, showInquiry } from '../inquiries/inquiries.service.js';
import { createUpdateInquiry, type Update } from '../inquiries/update.js';
import { idToBytes } from '../storage/ids.js';
import { collect, examples, parseId, parsePair, sizeOption } from './arguments.js';
import { withServer } from './remote/connection.js';
import { requireTenant, serviceUnlessOperator, type EitherOptions } from './remote/either.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from './remote/service.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

/** `verdict inquiry …` */
export function registerInquiry(program: Command, session: Session): void {
  const inquiry = program
    .command('inquiry')
    .description('flows in which a person gives consents; integrators update them through the API');
  registerCreate(inquiry, session);
  registerList(inquiry, session);
  withServer(inquiry.command('show'))
    .description('show all that is stored of an inquiry, the person and the link among it')
    .argument('<inquiry>', 'its id', parseId)
    .option('--tenant <id>', 'the tenant that it must belong to', parseId)
    .addHelpText('after', examples('inquiry show 0190…', 'inquiry show 0190… --json'))
    .action(async (id: string, options: EitherOptions) => {
      const service = serviceUnlessOperator(session, options);
      const inquiry = await (service === undefined
        ? showInquiry(session.stores(), { id, tenantId: options.tenant })
        : shownBy(service, id));
      print(session, inquiry);
    });
  registerComplete(inquiry, session);
  withServer(inquiry.command('delete'))
    .description("delete an inquiry and its person's data for good; what is being sent may still arrive")
    .argument('<inquiry>', 'its id', parseId)
    .option('--tenant <id>', 'the tenant that it must belong to', parseId)
    .addHelpText('after', examples('inquiry delete 0190…', 'inquiry delete 0190… --tenant 0190…'))
    .action(async (id: string, options: EitherOptions) => {
      const service = serviceUnlessOperator(session, options);
      if (service !== undefined) {
        await service.send(operations.deleteInquiry, { params: { inquiryId: id } });
        session.print({ id, deleted: true }, () => record({ id, deleted: true }));
        return;
      }
      const { tenantId } = await change(session, { id, tenantId: options.tenant }, { change: () => null });
      session.print({ id, tenantId, deleted: true }, () => record({ id, tenant: tenantId, deleted: true }));
    });
}

const shownBy = async (service: Service, inquiryId: string): Promise<Inquiry> =>
  (await service.send(operations.getInquiry, { params: { inquiryId } })).body;

interface ListOptions extends EitherOptions {
  readonly size: number;
  readonly olderThan?: string;
}

function registerList(inquiry: Command, session: Session): void {
  withServer(inquiry.command('list'))
    .description('list inquiries, newest first, without what names people; see `inquiry show`')
    .option('--tenant <id>', "this tenant's alone", parseId)
    .addOption(sizeOption())
    .option('--older-than <id>', 'continue after this inquiry', parseId)
    .addHelpText('after', examples('inquiry list --tenant 0190…', 'inquiry list --size 5000 --json'))
    .action(async ({ size, olderThan, ...options }: ListOptions) => {
      const service = serviceUnlessOperator(session, options);
      const inquiries: readonly (InquirySummary & { readonly tenantId?: string })[] =
        service === undefined
          ? await listInquiries(session.database(), options.tenant, { size, olderThan })
          : await newest(service, { size, olderThan });
      session.print({ inquiries }, () =>
        table(
          ['created', 'completed', 'external id', 'updated', 'tenant', 'id'],
          inquiries.map((each) => [
            ...[each.createdAt, each.completed, each.externalId],
            ...[each.updatedAt, each.tenantId ?? null, each.id],
          ]),
        ),
      );
    });
}

interface CreateOptions extends EitherOptions {
  readonly person: string;
  readonly externalId?: string;
  readonly prerequisite?: readonly (readonly [string, string])[];
}

function registerCreate(inquiry: Command, session: Session): void {
  withServer(inquiry.command('create'))
    .description('make an inquiry and print it with the link that the person starts the flow by')
    .option('--tenant <id>', 'on the database: the tenant whose inquiry it is', parseId)
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
    .action(async ({ person, externalId, prerequisite = [], ...options }: CreateOptions) => {
      const service = serviceUnlessOperator(session, options);
      const fields = {
        personId: person,
        externalId: externalId ?? null,
        prerequisites: prerequisite.map(([type, url]) => ({ type, url })),
      };
      if (service !== undefined) {
        print(session, (await service.send(operations.createInquiry, { body: JSON.stringify(fields) })).body);
        return;
      }
      const tenantId = requireTenant(options.tenant);
      const flowUrl = session.config().inquiryUrl;
      print(session, { tenantId, ...(await createInquiry(session.stores(), { ...fields, tenantId, flowUrl })) });
    });
}

interface CompleteOptions extends EitherOptions {
  readonly prerequisite?: readonly string[];
  readonly authorizationCode?: string;
}

function registerComplete(inquiry: Command, session: Session): void {
  withServer(inquiry.command('complete'))
    .description('record what the person has done; the inquiry is complete once all its prerequisites are')
    .argument('<inquiry>', 'its id', parseId)
    .option('--tenant <id>', 'the tenant that it must belong to', parseId)
    .option('--prerequisite <id>', 'a prerequisite that is complete; repeatable; else all are', collect(parseId))
    .option('--authorization-code <code>', "the portal's code that the person's data is fetched with")
    .addHelpText('after', examples('inquiry complete 0190…', 'inquiry complete 0190… --prerequisite 0190…'))
    .action(async (id: string, { prerequisite = [], authorizationCode, ...options }: CompleteOptions) => {
      const completion = { prerequisites: prerequisite, authorizationCode };
      const service = serviceUnlessOperator(session, options);
      if (service !== undefined) {
        print(session, await complete(service, id, completion));
        return;
      }
      const ref = { id, tenantId: options.tenant };
      await change(session, ref, { change: completing(completion), verb: 'complete' });
      print(session, await showInquiry(session.stores(), ref));
    });
}

/** Whosever inquiry it is, unless its tenant is given. */
async function change(
  session: Session,
  wanted: { readonly id: string; readonly tenantId: string | undefined },
  update: Pick<Update, 'change' | 'verb'>,
): Promise<{ readonly tenantId: string }> {
  const stores = session.stores();
  const { id, tenantId } = await showInquiry(stores, wanted);
  const updateInquiry = createUpdateInquiry({ ...stores, maxPerMinute: null, wakeOutbox: () => undefined });
  await updateInquiry({ actor: stores.actor, ref: { tenantId, id }, ...update });
  return { tenantId };
}

/** By HTTP: prerequisites one by one, or all of them with the inquiry. */
async function complete(
  service: Service,
  inquiryId: string,
  { prerequisites, authorizationCode }: Completion,
): Promise<Inquiry> {
  for (const prerequisiteId of prerequisites) {
    const params = { inquiryId, prerequisiteId };
    await service.send(operations.setPrerequisite, { params, body: JSON.stringify({ completed: true }) });
  }
  const present = await shownBy(service, inquiryId);
  if (prerequisites.length > 0 && !(present.completed && authorizationCode !== undefined)) return present;
  const body = JSON.stringify({ authorizationCode });
  return (await service.send(operations.completeInquiry, { params: { inquiryId }, body })).body;
}

/** A page by HTTP, newest first. */
async function newest(
  service: Service,
  { size, olderThan }: { readonly size: number; readonly olderThan: string | undefined },
): Promise<readonly InquirySummary[]> {
  const after = olderThan === undefined ? undefined : idToBytes(olderThan).toString('base64url');
  return (await service.send(operations.listInquiries, { query: { size, order: 'desc', after } })).body.data;
}

function print(session: Session, inquiry: Inquiry & { readonly tenantId?: string }): void {
  session.print(inquiry, () =>
    record({
      id: inquiry.id,
      ...(inquiry.tenantId === undefined ? {} : { tenant: inquiry.tenantId }),
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
