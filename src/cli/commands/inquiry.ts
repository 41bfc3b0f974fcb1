import type { Inquiry } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { idToBytes } from '../../storage/ids.js';
import { command, listed, type CommandGroup } from '../command.js';
import { id, many, own, parseId, parsePair, recent, required, text } from '../params.js';
import type { Reply } from '../remote/service.js';
import { fieldsOf, record, tableOf } from '../tableOf.js';

const one = { inquiryId: id('<inquiry>', 'its id') };
const inTenant = { tenant: own(id('--tenant <id>', 'the tenant that it must belong to')) };

type Told = Inquiry & { readonly tenantId?: string };

/** The inquiry; for operators, who see those of all tenants, with its tenant. */
const told = ({ body, tenantId }: Reply<Inquiry>): Told => ({
  ...(tenantId === undefined ? {} : { tenantId }),
  ...body,
});

const inquiryText = (inquiry: Told): string =>
  fieldsOf(
    {
      id: 'id',
      ...(inquiry.tenantId === undefined ? {} : { tenant: 'tenantId' }),
      person: 'personId',
      url: 'url',
      'external id': 'externalId',
      completed: 'completed',
      'skip consent messages': 'skipConsentMessages',
      'on success': ({ redirect }) => redirect.onSuccess,
      'on error': ({ redirect }) => redirect.onError,
      'authorization code': 'authorizationCode',
      ...Object.fromEntries(
        inquiry.prerequisites.map((each, index) => [
          `prerequisite ${index + 1}`,
          () => `${each.id} ${each.type} ${each.completed ? 'complete' : 'open'} ${each.url}`,
        ]),
      ),
      ...Object.fromEntries(
        inquiry.notifications.map((each, index) => [
          `notification ${index + 1}`,
          () => `${each.id} ${each.state} ${each.type} to ${each.to}: ${each.message}`,
        ]),
      ),
      created: 'createdAt',
      updated: 'updatedAt',
    },
    inquiry,
  );

export const inquiryCommands: CommandGroup = {
  groups: { inquiry: 'flows in which a person gives consents; integrators update them through the API' },
  commands: [
    command({
      name: 'inquiry create',
      about: 'make an inquiry and print it with the link that the person starts the flow by',
      examples: [
        'inquiry create --tenant 0190… --person 120190-123X',
        'inquiry create --tenant 0190… --person 42 --external-id order-7 --prerequisite CONSENT=https://consent.example/7',
      ],
      where: 'tenant',
      options: {
        tenant: own(id('--tenant <id>', 'on the database: the tenant whose inquiry it is')),
        personId: required(text('--person <id>', 'whom it is for: 1 to 255 characters; encrypted at rest')),
        externalId: text('--external-id <id>', "the integrator's own id, which events carry; at most 255 characters"),
        asked: many('--prerequisite <type=url>', 'what the person has to complete, and where; repeatable', parsePair),
      },
      async run({ ask }, { asked = [], ...fields }) {
        const prerequisites = asked.map(([type, url]) => ({ type, url }));
        return told(await ask(operations.createInquiry, { ...fields, prerequisites }));
      },
      text: inquiryText,
    }),
    command({
      name: 'inquiry list',
      about: 'list inquiries, newest first, without what names people; see `inquiry show`',
      examples: ['inquiry list --tenant 0190…', 'inquiry list --size 5000 --json'],
      where: 'tenant',
      options: {
        tenant: own(id('--tenant <id>', "this tenant's alone")),
        size: recent.size,
        olderThan: id('--older-than <id>', 'continue after this inquiry'),
      },
      async run(call, { size, olderThan }) {
        const { newest } = await call.operations();
        const after = olderThan === undefined ? undefined : idToBytes(olderThan).toString('base64url');
        return newest(operations.listInquiries, { size, after });
      },
      document: (inquiries) => listed('inquiries', inquiries),
      text: (inquiries) =>
        tableOf(
          {
            created: 'createdAt',
            completed: 'completed',
            'external id': 'externalId',
            updated: 'updatedAt',
            tenant: 'tenantId',
            id: 'id',
          },
          inquiries,
        ),
    }),
    command({
      name: 'inquiry show',
      about: 'show all that is stored of an inquiry, the person and the link among it',
      examples: ['inquiry show 0190…', 'inquiry show 0190… --json'],
      where: 'tenant',
      args: one,
      options: inTenant,
      run: async ({ ask }, input) => told(await ask(operations.getInquiry, input)),
      text: inquiryText,
    }),
    command({
      name: 'inquiry complete',
      about: 'record what the person has done; the inquiry is complete once all its prerequisites are',
      examples: ['inquiry complete 0190…', 'inquiry complete 0190… --prerequisite 0190…'],
      where: 'tenant',
      args: one,
      options: {
        ...inTenant,
        done: many('--prerequisite <id>', 'a prerequisite that is complete; repeatable; else all are', parseId),
        authorizationCode: text(
          '--authorization-code <code>',
          "the portal's code that the person's data is fetched with",
        ),
      },
      async run({ ask }, { inquiryId, done = [], authorizationCode }) {
        for (const prerequisiteId of done) {
          await ask(operations.setPrerequisite, { inquiryId, prerequisiteId, completed: true });
        }
        const present = await ask(operations.getInquiry, { inquiryId });
        if (done.length > 0 && !(present.body.completed && authorizationCode !== undefined)) return told(present);
        return told(await ask(operations.completeInquiry, { inquiryId, authorizationCode }));
      },
      text: inquiryText,
    }),
    command({
      name: 'inquiry delete',
      about: "delete an inquiry and its person's data for good; what is being sent may still arrive",
      examples: ['inquiry delete 0190…', 'inquiry delete 0190… --tenant 0190…'],
      where: 'tenant',
      args: one,
      options: inTenant,
      async run({ ask }, input) {
        const { tenantId } = await ask(operations.deleteInquiry, input);
        return { id: input.inquiryId, ...(tenantId === undefined ? {} : { tenantId }), deleted: true };
      },
      text: ({ id, tenantId, deleted }) =>
        record({ id, ...(tenantId === undefined ? {} : { tenant: tenantId }), deleted }),
    }),
  ],
};
