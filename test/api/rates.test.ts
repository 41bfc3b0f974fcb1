import { request } from 'node:http';
import { expect } from 'chai';
import { changeClient } from '../../src/access/clients.service.js';
import { changeWorkspace } from '../../src/access/workspaces.service.js';
import { useApp, useOwnApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { buildClient, type BuiltClient, useStore } from '../support/factories.js';
import { call, type Answer } from '../support/http.js';
import { basic, tokenOf } from '../support/tokens.js';

const path = '/logic/environments';

describe('the limit of a client or a workspace', () => {
  const store = useStore();
  const apps = [useApp(), useOwnApp()] as const;

  /** Slow enough that nothing is earned while a test asks. */
  const slow = { perSecond: 1, burst: 6 };
  const headersOf = async (client: BuiltClient): Promise<Record<string, string>> => ({
    Authorization: `Bearer ${await tokenOf(apps[0].baseUrl, client)}`,
    'X-Workspace-Id': client.workspaceId,
  });
  const get = (headers: Record<string, string>, at = 0): Promise<Answer> =>
    call(`${apps[at]!.baseUrl}${path}`, { headers });
  /** What comes through at most, from then on. */
  const allowance = (): (() => number) => {
    const begun = performance.now();
    return () => slow.burst + Math.ceil((performance.now() - begun) / 1000) * slow.perSecond;
  };
  /** As many as come at once, by both processes; gives those that were refused. */
  async function flood(headers: Record<string, string>, count: number): Promise<Answer[]> {
    const answers = await Promise.all(Array.from({ length: count }, (_value, index) => get(headers, index % 2)));
    return answers.filter(({ status }) => status !== 200);
  }

  it('refuses what is beyond it, counted over both processes, and says when to come back', async () => {
    const client = await buildClient(store);
    const headers = await headersOf(client);
    expect(await flood(headers, 20), 'none at first').to.deep.equal([]);
    const patched = await call(`${apps[0].baseUrl}/core/v1/clients/${client.id}`, {
      method: 'PATCH',
      headers: { Authorization: basic(client.id, client.secret) },
      body: { limit: slow },
    });
    expect(patched.body, patched.text).to.deep.include({ limit: slow });
    const limited = await buildClient(store, { limit: slow });
    const asking = await headersOf(limited);
    const allowed = allowance();
    const refused = await flood(asking, 40);
    // Twice, where Redis did not answer in time: then each process counts by itself.
    expect(40 - refused.length).to.be.within(slow.burst, 2 * allowed());
    for (const answer of refused) {
      expectProblem(answer, 'rate_limited', {
        instance: path,
        detail: 'The client may make 1 requests a second, and 6 at once; nothing was done.',
        headers: { 'Retry-After': '1', 'RateLimit-Policy': '"client";q=1;w=1', RateLimit: '"client";r=0;t=1' },
      });
    }
  });

  it('is for all who use a workspace together, and for Basic as for a token', async () => {
    const one = await buildClient(store);
    const other = await buildClient(store, { tenantId: one.tenantId, workspaces: [one.workspaceId] });
    await changeWorkspace(store, { workspaceId: one.workspaceId }, () => ({ limit: slow }));
    const [first, second] = [await headersOf(one), await headersOf(other)];
    const allowed = allowance();
    const refused = [...(await flood(first, 4)), ...(await flood(second, 36))];
    expect(40 - refused.length).to.be.within(slow.burst, 2 * allowed());
    expectProblem(refused[0]!, 'rate_limited', {
      instance: path,
      headers: { 'RateLimit-Policy': '"workspace";q=1;w=1', RateLimit: '"workspace";r=0;t=1' },
    });
    const limited = await buildClient(store, { limit: slow });
    const inquiries = '/fuse/v2/inquiries';
    const answers: Answer[] = [];
    for (let asked = 0; asked < 12; asked++) {
      const headers = { Authorization: basic(limited.id, limited.secret) };
      answers.push(await call(`${apps[0].baseUrl}${inquiries}`, { headers }));
    }
    expectProblem(
      answers.find(({ status }) => status !== 200)!,
      'rate_limited',
      { instance: inquiries },
    );
  });

  it('takes effect on who asks already, and ends with the limit', async () => {
    const client = await buildClient(store);
    const headers = await headersOf(client);
    expect(await flood(headers, 10)).to.deep.equal([]);
    await changeClient(store, { id: client.id }, () => ({ limit: { perSecond: 1, burst: 1 } }));
    let answer = await get(headers);
    while (answer.status === 200) answer = await get(headers);
    expectProblem(answer, 'rate_limited', { instance: path });
    await changeClient(store, { id: client.id }, () => ({ limit: null }));
    let free = 0;
    while (free < 5) free = (await get(headers)).status === 200 ? free + 1 : 0;
  });

  it('refuses before a body is read', async () => {
    const client = await buildClient(store, { limit: { perSecond: 1, burst: 1 } });
    const headers = await headersOf(client);
    const { port } = new URL(apps[0].baseUrl);
    const announced = { ...headers, 'Content-Type': 'application/json', 'Content-Length': '1000' };
    // The first one is let through, and waits for its body; another at the same time is not.
    const asked = [0, 1, 2, 3].map(() => {
      const asking = request({ port, path, method: 'POST', headers: announced });
      asking.write('{');
      return asking;
    });
    const status = await new Promise<number | undefined>((resolve) => {
      for (const asking of asked) {
        asking.on('response', (response) => resolve(response.statusCode));
        asking.on('error', () => undefined);
      }
    });
    asked.forEach((asking) => asking.destroy());
    expect(status).to.equal(429);
  });
});
