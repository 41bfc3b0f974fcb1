import { promises as dns } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { addressesOf, familiesOf } from '../../../workers/outbound/names.js';
import { outboundRequest } from '../../../workers/outbound/request.js';
import { eventually } from '../../support/eventually.js';
import { askInstead, nameServer, type NameServer } from '../../support/nameServer.js';

describe('names of hosts that are called', () => {
  let server: NameServer;
  let askMachine: () => void;

  before(async () => {
    server = await nameServer({
      'both.example.test': { 4: ['8.8.8.8', '8.8.4.4'], 6: ['2606:4700:0:0:0:0:0:1111'] },
      'empty.example.test': {},
      'absent.example.test': { code: 3 },
      'broken.example.test': { code: 2 },
    });
    askMachine = askInstead(server);
  });
  after(async () => {
    askMachine();
    await server.close();
  });

  const resolve = (name: string) => addressesOf(name, {}, new dns.Resolver());
  const get = (host: string, signal = new AbortController().signal) =>
    outboundRequest({
      url: `http://${host}/`,
      method: 'GET',
      headers: {},
      policy: { allow: [host] },
      signal,
      timeoutMs: 600_000,
    });
  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('whose name server is silent keep no other lookup of the process waiting, neither during the call nor after', async () => {
    const hosts = Array.from({ length: 8 }, (_, at) => `silent${at}.example.test`);
    const end = new AbortController();
    let open = hosts.length;
    const calls = hosts.map((host) => failureOf(get(host, AbortSignal.any([end.signal]))).finally(() => open--));
    await eventually(() => hosts.every((host) => server.asked.includes(host)));
    // One of these, too, was kept waiting.
    expect((await dns.lookup('localhost')).address).to.match(/^127|^::1/);
    expect(open).to.equal(hosts.length);
    end.abort(new Error('the run is over'));
    for (const error of await Promise.all(calls)) expect(error).to.have.property('message', 'the run is over');
    // Nobody asks any more: a name server that is silent would be asked again after a second.
    await sleep(50);
    const asked = server.asked.length;
    await sleep(1500);
    expect(server.asked).to.have.length(asked);
  });

  it('fail as they do by dns.lookup', async () => {
    for (const [host, code] of [
      ['empty.example.test', 'ENOTFOUND'],
      ['absent.example.test', 'ENOTFOUND'],
      [`${'x'.repeat(64)}.example.test`, 'ENOTFOUND'],
      ['broken.example.test', 'EAI_AGAIN'],
    ] as const) {
      expect(await failureOf(get(host)), host).to.have.property('code', code);
    }
  });

  it('without a dot are looked up by the machine', async () => {
    const asked = server.asked.length;
    expect(await failureOf(get('localhost')))
      .to.have.property('message')
      .that.includes('public address');
    expect(server.asked).to.have.length(asked);
  });

  it('have their addresses in the order of the families, and of the answer', async () => {
    const byFamily = { 4: ['8.8.8.8', '8.8.4.4'], 6: ['2606:4700::1111'] };
    const found = await resolve('both.example.test');
    const order = [...new Set(found.map(({ family }) => family as 4 | 6))];
    expect(found.map(({ address }) => address)).to.deep.equal(order.flatMap((family) => byFamily[family]));
  });

  it('are asked for in IPv6 where the machine has it, and first where it has a public address of it', () => {
    const own = (family: string, address: string, internal = false) => ({ family, address, internal });
    const v4 = [own('IPv4', '127.0.0.1', true), own('IPv4', '192.168.0.7'), own('IPv6', '::1', true)];
    expect(familiesOf(v4)).to.deep.equal([4]);
    expect(familiesOf([...v4, own('IPv6', 'fe80::1'), own('IPv6', 'fd00::2')])).to.deep.equal([4, 6]);
    expect(familiesOf([...v4, own('IPv6', 'fe80::1'), own('IPv6', '2a01:4f8::2')])).to.deep.equal([6, 4]);
  });
});
