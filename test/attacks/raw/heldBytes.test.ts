import { expect } from 'chai';
import { Quota } from '../../../src/admission/quota.js';
import { poolOf, useApp } from '../../support/app.js';
import { isLong } from '../../support/environment.js';
import { eventually } from '../../support/eventually.js';
import { useStore } from '../../support/factories.js';
import { call } from '../../support/http.js';
import { expressing } from '../../support/models.js';
import type { OpenApi } from '../../support/openapi.js';
import { connect } from '../../support/raw.js';
import { buildWorld, type World } from '../../support/operations/world.js';
import { requestsOf, type RawRequest } from './requests.js';

/** More than any request reserves one after the other. */
const mostReserved = 40;

describe('the bytes that are held for a request, on every route', function () {
  this.timeout(480_000);
  const app = useApp();
  const store = useStore();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with what it belongs to
  const { take } = Quota.prototype;
  let mine: World;
  let requests: readonly RawRequest[];
  /** Operations that need no token answer small pages, which are not charged to anybody. */
  let free: readonly string[];
  /** What happens in place of that reservation of the workspace, or beside it. */
  let armed: { left: number; readonly meet: () => void } | undefined;

  beforeEach(async () => {
    mine = await buildWorld(app, store, 'mine');
    // Of which a list of tools reads the schemas.
    for (const at of [1, 2, 3]) {
      const named = { key: `tool ${at}.json`, content: expressing({ [`a${at}`]: 'x' }) };
      const { id: decisionId } = (await mine.caller.post('/logic/decisions', named)).body as { id: string };
      await mine.caller.post(`/logic/decisions/${decisionId}/versions`, { message: 'x' });
      const deployment = { decisionId, environmentId: mine.environmentId, version: 1, name: 'x', deployedBy: 'x' };
      expect((await mine.caller.post('/logic/deployments', deployment)).status).to.equal(201);
    }
    const document = (await call(`${app.baseUrl}/openapi.json`)).body as OpenApi;
    requests = requestsOf(document, mine);
    free = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ security }) => (security as object[]).length === 0)
      .map(({ operationId }) => operationId);
    const owners = [mine.workspaceId, mine.tenantId, 'address 127.0.0.1', mine.client.id, 'public'];
    Quota.prototype.take = function (this: Quota, holder, bytes) {
      if (armed !== undefined && owners.some((name) => holder.name.includes(name)) && --armed.left === 0) armed.meet();
      take.call(this, holder, bytes);
    };
  });
  afterEach(() => {
    Quota.prototype.take = take;
  });

  /** Sends a request, and waits for its answer or the end of its connection. @param at the reservation that is met */
  async function meet(asked: RawRequest, at: number, how: 'refused' | 'aborted'): Promise<boolean> {
    const socket = await connect(Number(new URL(app.baseUrl).port));
    const over = new Promise<void>((resolve) => {
      for (const event of ['data', 'error', 'close']) socket.once(event, () => resolve());
    });
    let met = false;
    armed = {
      left: at,
      meet() {
        met = true;
        if (how === 'aborted') socket.resetAndDestroy();
        else throw new Quota(0).refusal();
      },
    };
    const { line, headers, body } = asked;
    const length = body.length === 0 ? '' : `Content-Length: ${body.length}\r\n`;
    socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers}${length}\r\n`);
    if (body.length > 0) socket.write(body);
    await over;
    socket.destroy();
    return met;
  }

  /** Nothing is held for anybody but what a shadow that is served and measured fields take. */
  const requireNothingHeld = (): Promise<unknown> =>
    eventually(async () => {
      armed = undefined;
      if ((await poolOf(app)).bytesInFlight === 0) return true;
      await store.database('shadows').whereNull('ended_at').update({ ended_at: new Date() });
      await store.database('measured_fields').delete();
      return false;
    });

  for (const how of ['refused', 'aborted'] as const) {
    it(`come back wherever it is ${how}, and when it ends`, async () => {
      const reserved = new Map<string, number>();
      // What is held is given back at the same places however it ends.
      const some = requests.filter((_, number) => isLong || how === 'refused' || number % 3 === 0);
      for (const asked of some) {
        let at = 1;
        while (at < mostReserved && (await meet(asked, at, how))) at++;
        expect(at, `${asked.name} reserves without an end`).to.be.below(mostReserved);
        reserved.set(asked.name, at - 1);
        await requireNothingHeld();
      }
      // What a refused list of tools read after its answer was held for ever.
      if (how === 'refused') expect(reserved.get('callTools application/json')).to.be.at.least(5);
      const without = [...reserved].filter(([, times]) => times === 0).map(([name]) => name.split(' ')[0] ?? '');
      expect(
        without.filter((name) => !free.includes(name)),
        'requests that reserve nothing',
      ).to.deep.equal([]);
      expect(reserved.size - without.length).to.be.at.least(some.length === requests.length ? 100 : 33);
    });
  }
});
