import { createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Attempt } from '../../src/outbox/attempt.js';
import { createEmailTransport } from '../../src/outbox/transports/email.js';
import { post } from '../../src/outbox/transports/post.js';
import { selfSigned } from '../support/certificate.js';

describe('a message that cannot be handed over says why', () => {
  const signal = new AbortController().signal;
  const mail = async (url: string): Promise<Attempt> => {
    const transport = createEmailTransport({ url, from: 'a@b.example', subject: 'x', timeoutMs: 20_000 });
    try {
      return await transport.send({ id: '1', to: 'a@b.example', text: 'x', link: 'https://a.example' }, signal);
    } finally {
      transport.close();
    }
  };
  const call = (url: string): Promise<Attempt> =>
    post({ url, headers: {}, body: '{}' }, { timeoutMs: 20_000, privateHosts: [new URL(url).host] }, signal);

  it('the name is not found', async () => {
    const { error } = (await mail('smtp://nobody.invalid')) as { error: string };
    expect(error).to.match(/^(name not found \(ENOTFOUND\)|the name could not be looked up \(EAI_AGAIN\))$/);
  });

  it('the certificate is nobody’s', async () => {
    const server = createServer(selfSigned);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const distrusted = { kind: 'failed', error: 'certificate not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)' };
    expect(await mail(`smtps://${address}`)).to.deep.equal(distrusted);
    expect(await call(`https://${address}`)).to.deep.equal(distrusted);
    server.close();
  });
});
