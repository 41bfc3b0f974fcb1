import { promises as dns } from 'node:dns';
import { expect } from 'chai';
import { Problem } from '../../src/errors.js';
import { requireCallbackAddress } from '../../src/outbox/callbackAddress.js';
import { eventually } from '../support/eventually.js';
import { askInstead, nameServer, type NameServer } from '../support/nameServer.js';

describe("the name of a callback's host", () => {
  let server: NameServer;
  let askMachine: () => void;
  before(async () => {
    server = await nameServer({
      'public.example.test': { 4: ['8.8.8.8'] },
      'private.example.test': { 4: ['8.8.8.8', '10.1.2.3'] },
      'absent.example.test': { code: 3 },
    });
    askMachine = askInstead(server);
  });
  after(async () => {
    askMachine();
    await server.close();
  });

  const required = (host: string): Promise<void> => requireCallbackAddress(`https://${host}/events`, []);

  it('keeps no other lookup of the process waiting while its name server is silent, and is accepted', async () => {
    const hosts = Array.from({ length: 8 }, (_, at) => `silent${at}.example.test`);
    let open = hosts.length;
    const accepted = hosts.map((host) => required(host).finally(() => open--));
    await eventually(() => hosts.every((host) => server.asked.includes(host)));
    expect((await dns.lookup('localhost')).address).to.match(/^127|^::1/);
    expect(open).to.equal(hosts.length);
    await Promise.all(accepted);
  });

  it('is refused where one of its addresses is private, and accepted where all are public or it has none yet', async () => {
    await required('public.example.test');
    await required('absent.example.test');
    const refusal: unknown = await required('private.example.test').catch((error: unknown) => error);
    expect(refusal).to.be.an.instanceOf(Problem).and.to.have.property('code', 'validation_failed');
    expect(String(refusal)).to.contain('private.example.test does not stand at a public address');
  });

  it('is asked of nobody where it is an address', async () => {
    const asked = server.asked.length;
    await required('8.8.8.8');
    await required('[2606:4700::1111]');
    expect(server.asked).to.have.length(asked);
  });
});
