import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { buildClient, buildInquiry, type BuiltClient, useStore } from '../support/factories.js';
import type { Answer } from '../support/http.js';
import { getAs, patchAs, pathOf, sms } from '../support/inquiries.js';

describe('PATCH of an inquiry, refused', () => {
  const app = useApp();
  const store = useStore();
  let client: BuiltClient;
  let inquiry: Inquiry;
  before(async () => {
    client = await buildClient(store);
    inquiry = await buildInquiry(store, client.tenantId);
  });

  const patch = (body: unknown): Promise<Answer> => patchAs(app.baseUrl, client)(pathOf(inquiry.id), body);

  const webUrl = 'must be an http or https URL without credentials, of at most 2048 characters';
  const phone = 'must be a phone number in E.164, such as +358401234567';
  const mail = 'must be an email address';
  const control = 'must be text without control characters';
  const phones = [
    'a@b.example',
    '358401234567',
    '+0401234567',
    '+358 40 123',
    '+35840123456789012',
    '00358401234567',
    '+12345',
    '+1234567\n',
    '+３５８４０１２３４５',
  ];

  const addresses = [
    '+358401234567',
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

  const kinds: readonly [
    what: string,
    texts: readonly string[],
    message: string,
    of: (text: string) => [object, string],
  ][] = [
    ['phone numbers', phones, phone, (to) => [{ notifications: [sms('x', to)] }, '/notifications/0/to']],
    [
      'addresses',
      addresses,
      mail,
      (to) => [{ notifications: [{ type: 'EMAIL', message: 'x', to }] }, '/notifications/0/to'],
    ],
    ['redirects', urls, webUrl, (onSuccess) => [{ redirect: { onSuccess } }, '/redirect/onSuccess']],
    ['texts', ['\u001b[2J'], control, (text) => [{ notifications: [sms(text)] }, '/notifications/0/message']],
  ];
  for (const [what, texts, message, of] of kinds)
    it(`refuses ${what} that are none, naming the place, and changes nothing`, async () => {
      for (const text of texts) {
        const [body, pointer] = of(text);
        const instance = pathOf(inquiry.id);
        expectProblem(await patch(body), 'validation_failed', { instance, errors: [{ in: 'body', pointer, message }] });
      }
      expect((await getAs(app.baseUrl, client)(pathOf(inquiry.id))).headers.etag).to.equal('"1"');
    });
});
