import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { buildClient, buildInquiry, type BuiltClient, useStore } from '../support/factories.js';
import type { Answer } from '../support/http.js';
import { getAs, patchAs, pathOf, sms, type Patch } from '../support/inquiries.js';

describe('PATCH of an inquiry, refused', () => {
  const app = useApp();
  const store = useStore();
  let client: BuiltClient;
  let inquiry: Inquiry;
  before(async () => {
    client = await buildClient(store);
  });
  beforeEach(async () => {
    inquiry = await buildInquiry(store, client.tenantId);
  });

  const send: Patch = (...call) => patchAs(app.baseUrl, client)(...call);
  const patch = (body: unknown, headers?: Record<string, string>): Promise<Answer> =>
    send(pathOf(inquiry.id), body, headers);

  const webUrl = 'must be an http or https URL without credentials, of at most 2048 characters';
  const phone = 'must be a phone number in E.164, such as +358401234567';
  const mail = 'must be an email address';
  const refused: [string, unknown, object[]][] = [
    [
      'control characters',
      { notifications: [sms('\u001b[2J')] },
      [{ pointer: '/notifications/0/message', message: 'must be text without control characters' }],
    ],
    [
      'a mail address for an SMS and the other way round',
      { notifications: [sms('x', 'a@b.example'), { type: 'EMAIL', message: 'x', to: '+358401234567' }] },
      [
        { pointer: '/notifications/0/to', message: phone },
        { pointer: '/notifications/1/to', message: mail },
      ],
    ],
  ];
  for (const [what, body, errors] of refused) {
    it(`refuses ${what}, naming the place`, async () => {
      expectProblem(await patch(body), 'validation_failed', {
        instance: pathOf(inquiry.id),
        errors: errors.map((error) => ({ in: 'body', ...error })) as never,
      });
      expect((await getAs(app.baseUrl, client)(pathOf(inquiry.id))).headers.etag).to.equal('"1"');
    });
  }

  const phones = [
    '358401234567',
    '+0401234567',
    '+358 40 123',
    '+35840123456789012',
    '00358401234567',
    '+12345',
    '+1234567\n',
    '+３５８４０１２３４５',
  ];
  for (const to of phones) {
    it(`refuses the phone number ${JSON.stringify(to)}`, async () => {
      expectProblem(await patch({ notifications: [sms('x', to)] }), 'validation_failed', {
        instance: pathOf(inquiry.id),
        errors: [{ in: 'body', pointer: '/notifications/0/to', message: phone }],
      });
    });
  }

  const addresses = [
    'nobody',
    'a@b',
    '@b.example',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example\n',
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    'Name <a@b.example>',
    '"a b"@b.example',
    'a b@b.example',
    'a..b@b.example',
    '.a@b.example',
    'a@-b.example',
    'a@[127.0.0.1]',
    'ä@b.example',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b.'.repeat(130)}example`,
    'a@b.example (comment)',
  ];
  for (const to of addresses) {
    it(`refuses the address ${JSON.stringify(to).slice(0, 50)}`, async () => {
      expectProblem(await patch({ notifications: [{ type: 'EMAIL', message: 'x', to }] }), 'validation_failed', {
        instance: pathOf(inquiry.id),
        errors: [{ in: 'body', pointer: '/notifications/0/to', message: mail }],
      });
    });
  }

  const urls = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://a.example',
    '//a.example',
    '/path',
    '',
    'https://',
    'https:a.example',
    'https:///a.example',
    'https://user:pass@a.example',
    'https://user@a.example',
    'https://@a.example',
    ' https://a.example',
    'https://a.example\n',
    'java\tscript:alert(1)',
    'https://a.example\\@b.example',
    'https://a b.example',
    `https://a.example/${'x'.repeat(2048)}`,
  ];
  for (const url of urls) {
    it(`refuses the redirect ${JSON.stringify(url).slice(0, 50)}`, async () => {
      expectProblem(await patch({ redirect: { onSuccess: url } }), 'validation_failed', {
        instance: pathOf(inquiry.id),
        errors: [{ in: 'body', pointer: '/redirect/onSuccess', message: webUrl }],
      });
    });
  }
});
