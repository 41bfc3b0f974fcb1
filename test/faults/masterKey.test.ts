import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createEncryption } from '../../src/storage/encryption.js';
import { bootApp, type TestApp } from '../support/app.js';
import { verdictWith } from '../support/cli.js';
import { buildClient, buildInquiry, type Store, openScratchStore } from '../support/factories.js';
import { isLong } from '../support/environment.js';
import { call } from '../support/http.js';
import { patchAs, pathOf, sms } from '../support/inquiries.js';
import { expressing } from '../support/models.js';
import { buildScene, logicHeaders, type Scene } from '../support/scene.js';
import { columnsOfBytes, columnsSealedBy, fillSealed, openAll } from '../support/sealed.js';
import { askToken } from '../support/tokens.js';

/** A server that may be asked, and how many requests it has under way. */
interface Target {
  readonly server: TestApp;
  asked: number;
}

/** How long servers with different keys serve side by side: each kind of request is then sent some times. */
const mixedMs = isLong ? 500 : 250;
/** Between the requests of one kind. */
const pauseMs = 80;

describe('a change of the master key under load', () => {
  const [oldKey, newKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  let store: Awaited<ReturnType<typeof openScratchStore>>;
  let targets: Target[];
  before(async () => {
    store = await openScratchStore({ ENCRYPTION_KEY: oldKey });
    targets = await startAll(oldKey);
  });
  after(async () => {
    await Promise.all(targets.map(({ server }) => server.stop()));
    await store.close();
  });

  const settings = (present: string, previous = ''): Record<string, string> => ({
    DATABASE_URL: store.url,
    ENCRYPTION_KEY: present,
    ENCRYPTION_KEYS_PREVIOUS: previous,
  });
  const start = async (present: string, previous?: string): Promise<Target> => ({
    server: await bootApp(settings(present, previous)),
    asked: 0,
  });
  /** With keys of their own there are always two kinds of servers side by side: one of each is enough for that. */
  const startAll = (present: string, previous?: string): Promise<Target[]> =>
    Promise.all(Array.from({ length: isLong ? 2 : 1 }, () => start(present, previous)));
  /** As a load balancer sees it: new servers beside the old ones, which then get no more requests, and end. */
  async function replaceServers(present: string, previous?: string): Promise<void> {
    const old = targets;
    const started = await startAll(present, previous);
    targets = [...old, ...started];
    await sleep(mixedMs);
    targets = started;
    while (old.some(({ asked }) => asked > 0)) await sleep(5);
    for (const { server } of old) await server.stop();
  }

  it('fails no request, and leaves nothing that needs the old key', async () => {
    await fillSealed(store);
    const scene = await buildScene({ baseUrl: targets[0]?.server.baseUrl ?? '' }, { store });
    const load = await startLoad(store, scene, () => targets);
    await replaceServers(oldKey, newKey);
    await replaceServers(newKey, oldKey);
    const rotation = await verdictWith(settings(newKey, oldKey), 'encryption', 'rotate');
    expect(rotation.stdout, rotation.stderr).to.contain('no longer needed');
    await replaceServers(newKey);
    const { failures, requests } = await load.stop();

    expect(failures.slice(0, 5), `${failures.length} of ${requests}`).to.deep.equal([]);
    expect(requests).to.be.greaterThan(50);
    const withNew = createEncryption(Buffer.from(newKey, 'hex'));
    const opened = await openAll(store.database, withNew);
    for (const [column, count] of Object.entries(opened)) expect(count, column).to.be.greaterThan(0);
    expect(await columnsSealedBy(store.database, store.encryption, await columnsOfBytes(store.database))).to.deep.equal(
      [],
    );
  });
});

/** Everything that seals or opens, each kind in a loop of its own. */
async function startLoad(
  store: Store,
  scene: Scene,
  targets: () => readonly Target[],
): Promise<{ stop(): Promise<{ failures: readonly string[]; requests: number }> }> {
  const secret = await scene.deployed('secret.json', expressing({ y: '$env.FACTOR * x' }));
  const { environmentId, path: executions } = secret;
  await scene.variable(environmentId, 'FACTOR', 2, true);
  const client = await buildClient(store);
  const inquiry = await buildInquiry(store, client.tenantId);
  const failures: string[] = [];
  let [requests, going] = [0, true];
  const execute = (baseUrl: string, number: number, key: string) =>
    call(baseUrl + executions, {
      method: 'POST',
      body: { fact: { x: number } },
      headers: { ...logicHeaders(scene), 'Idempotency-Key': key },
    });

  const kinds: Record<string, (baseUrl: string, number: number) => Promise<{ status: number; text: string }>> = {
    'a first execution': (baseUrl, number) => execute(baseUrl, number, `first-${number}`),
    // Mostly by another process, or with another key, than the first.
    'a repeated execution': (baseUrl, number) => execute(baseUrl, number % 5, `again-${number % 5}`),
    'a token': (baseUrl) => askToken(baseUrl, client),
    'a variable': (baseUrl, number) =>
      call(`${baseUrl}/logic/environments/${environmentId}/variables/OTHER`, {
        method: 'PUT',
        body: { value: number },
        headers: logicHeaders(scene),
      }),
    'an inquiry': (baseUrl, number) =>
      patchAs(baseUrl, client)(
        pathOf(inquiry.id),
        { notifications: [sms(`${number}: $link`)] },
        { 'Idempotency-Key': `update-${number}` },
      ),
  };
  const loops = Object.entries(kinds).map(async ([kind, send]) => {
    for (let number = 0; going; number++) {
      const target = targets()[number % targets().length];
      if (target === undefined) throw new Error('there is no server');
      target.asked++;
      const { status, text } = await send(target.server.baseUrl, number).catch((error: unknown) => ({
        status: 0,
        text: String(error),
      }));
      target.asked--;
      requests++;
      if (status < 200 || status > 299) failures.push(`${kind}: ${status} ${text}`);
      await sleep(pauseMs);
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(loops);
      return { failures, requests };
    },
  };
}
