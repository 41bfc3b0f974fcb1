import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { readWriteState, takeRevision } from '../../src/decisions/decisions.store.js';
import type { Problem } from '../../src/errors.js';
import { ClaimLost, createIdempotency, type Claim } from '../../src/runs/idempotency.js';
import type { KeyedRequest } from '../../src/storage/usedKeys.js';
import { openDatabase } from '../../src/storage/database.js';
import { idToBytes } from '../../src/storage/ids.js';
import { limitRuns, useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { stopClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { buildClient, buildWorkspace, openStore } from '../support/factories.js';
import { callerOf } from '../support/http.js';
import { statementsWait } from '../support/locks.js';
import { endless, expressing } from '../support/models.js';
import { testDatabase, type Scene, useScene } from '../support/scene.js';
import { testEnvironment } from '../support/settings.js';
import { tokenOf } from '../support/tokens.js';
import { recordedRows } from '../support/records.js';

describe('idempotency of executions', () => {
  const app = useApp();
  const scene = useScene(app);
  let environmentId: string;
  before(async () => {
    environmentId = await scene.environment();
  });

  const executions = (decisionId: string): string => `/logic/${environmentId}/decisions/${decisionId}/executions`;
  const deployed = async (key: string, model: Parameters<Scene['decision']>[1]): Promise<string> =>
    (await scene.deployed(key, model, environmentId)).decisionId;

  it('a caller’s key of an execution answers a repeat with the first answer', async () => {
    const decisionId = await deployed('idempotent.json', expressing({ r: 'rand(1000000000)' }));
    const path = executions(decisionId);
    const headers = { 'Idempotency-Key': `order-${randomUUID()}` };
    const first = await scene.caller.post(path, { fact: { a: 1 } }, headers);
    expect(first.status, first.text).to.equal(201);
    expect(first.headers).to.not.have.property('idempotency-replayed');
    const again = await scene.caller.post(path, { fact: { a: 1 } }, headers);
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(again.headers['content-type']).to.equal(first.headers['content-type']);
    const { length } = (await recordedRows(testDatabase()).where({ decision_id: idToBytes(decisionId) })) as object[];
    expect(length).to.equal(1);

    expectProblem(await scene.caller.post(path, { fact: { a: 2 } }, headers), 'idempotency_key_reused', {
      instance: path,
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'was used with another path or body' }],
    });
    for (const key of ['a b', 'ü', 'x'.repeat(256)]) {
      const refused = await scene.caller.post(path, { fact: {} }, { 'Idempotency-Key': key }).catch(() => undefined);
      if (refused !== undefined) expect(refused.status, key).to.equal(400);
    }
  });

  it('an empty key is refused: the request ran, and a repeat of it ran again', async () => {
    const path = executions(await deployed('keyless.json', expressing({ r: '1' })));
    expectProblem(await scene.caller.post(path, { fact: {} }, { 'Idempotency-Key': '' }), 'validation_failed', {
      instance: path,
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  });

  it('a used key with a decision that is absent is 404, which comes before 422', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const path = executions(await deployed('present.json', expressing({ r: '1' })));
    expect((await scene.caller.post(path, { fact: {} }, headers)).status).to.equal(201);
    const absent = executions(randomUUID());
    expectProblem(await scene.caller.post(absent, { fact: {} }, headers), 'decision_not_found', { instance: absent });
    const undeployed = executions(await scene.decision('undeployed.json', expressing({ r: '1' })));
    expectProblem(await scene.caller.post(undeployed, { fact: {} }, headers), 'routing_not_found', {
      instance: undeployed,
    });
    expectProblem(await scene.caller.post(path, { fact: { a: 1 } }, headers), 'idempotency_key_reused', {
      instance: path,
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'was used with another path or body' }],
    });
  });

  it('a second request with a key that is still running is 409', async () => {
    const decisionId = await deployed('slow.json', endless());
    const path = executions(decisionId);
    await limitRuns(app, 400);
    // Until both come while the run goes on, which only a machine that stands still prevents: then one is a replay.
    const { busy, first, headers } = await eventually(async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const [one, two] = await Promise.all([
        scene.caller.post(path, { fact: {} }, headers),
        scene.caller.post(path, { fact: {} }, headers),
      ]);
      if (one.status === 409) return { busy: one, first: two, headers };
      if (two.status === 409) return { busy: two, first: one, headers };
      expect(one.text).to.equal(two.text);
      return undefined;
    });
    await limitRuns(app, 60_000);
    expectProblem(busy, 'idempotency_in_progress', { instance: path, headers: { 'Retry-After': /^[1-9]\d*$/ } });
    expect(first.status, first.text).to.equal(504);
    const again = await scene.caller.post(path, { fact: {} }, headers);
    expect([again.status, again.text]).to.deep.equal([504, first.text]);
    expect(again.headers).to.include({ 'idempotency-replayed': 'true', 'content-type': 'application/problem+json' });
  });

  it('a key does not wait for whoever writes decisions of its workspace', async () => {
    const path = executions(await deployed('beside.json', expressing({ r: '1' })));
    const writer = await testDatabase().transaction();
    try {
      const revision = (await readWriteState(writer, scene.workspaceId))?.revision;
      const taken = { revision: revision!, more: 0, lease: undefined };
      expect(await takeRevision(writer, scene.workspaceId, taken)).to.equal(true);
      const answer = await scene.caller.post(path, { fact: {} }, { 'Idempotency-Key': randomUUID() });
      expect(answer.status, answer.text).to.equal(201);
    } finally {
      await writer.rollback();
    }
  });

  it('another principal’s same key is another key', async () => {
    const decisionId = await deployed('mine.json', expressing({ r: 'rand(1000000000)' }));
    const headers = { 'Idempotency-Key': 'shared' };
    const first = await scene.caller.post(executions(decisionId), { fact: {} }, headers);
    const store = openStore();
    const second = await buildClient(store, { tenantId: scene.tenantId, workspaces: [scene.workspaceId] });
    await store.close();
    const caller = callerOf(app.baseUrl, await tokenOf(app.baseUrl, second), scene.workspaceId);
    const other = await caller.post(executions(decisionId), { fact: {} }, headers);
    expect(other.headers).to.not.have.property('idempotency-replayed');
    expect((other.body as { id: string }).id).to.not.equal((first.body as { id: string }).id);
  });
});

describe('taking over a claim whose lease has passed', () => {
  const store = openStore();
  const { database, encryption } = store;
  after(() => store.close());

  const requestOf = async (): Promise<KeyedRequest> => {
    return { owner: await buildWorkspace(store), principal: 'client:x', key: 'k', target: '/p', bodyText: '{}' };
  };
  /** Of a process that stands still. */
  const lateClaim = async (request: KeyedRequest): Promise<Claim> => {
    const begun = await createIdempotency({ database, encryption, leaseMs: () => -1000 }).begin(request);
    return 'claim' in begun ? begun.claim : expect.fail('a new key was answered');
  };

  it('an answer that is settled while the take-over waits stays, and is given again', async () => {
    const request = await requestOf();
    const claim = await lateClaim(request);
    const other = openDatabase(testEnvironment().DATABASE_URL!, { poolSize: 1, acquireTimeoutMs: 30_000 });
    try {
      const idempotency = createIdempotency({ database: other, encryption, leaseMs: () => 60_000 });
      // Takes the one connection between the look at the row and the take-over.
      const between = new Promise<Knex.Transaction>((resolve) => {
        const pause = ({ sql }: { sql: string }): void => {
          if (!sql.startsWith('select')) return;
          other.off('query', pause);
          resolve(other.transaction());
        };
        other.on('query', pause);
      });
      const begun = idempotency.begin(request);
      const pause = await between;
      const settling = await database.transaction();
      const answer = { status: 201, body: '{"id":1}' };
      await claim.settle(settling, answer);
      await pause.rollback();
      await statementsWait(database, /^update `idempotency_keys`/);
      await settling.commit();
      expect(await begun).to.deep.equal({ replay: answer });
      expect(await idempotency.begin(request)).to.deep.equal({ replay: answer });
    } finally {
      await other.destroy();
    }
  });

  it('goes to one of those that come at once; the others are told that it runs', async () => {
    const request = await requestOf();
    const late = await lateClaim(request);
    const idempotency = createIdempotency({ database, encryption, leaseMs: () => 60_000 });
    const begun = await Promise.all(
      Array.from({ length: 4 }, () => idempotency.begin(request).catch((error: unknown) => (error as Problem).code)),
    );
    const taken = begun.filter((one) => typeof one === 'object');
    expect(taken).to.have.length(1);
    expect(begun.filter((one) => one === 'idempotency_in_progress')).to.have.length(3);
    await late.release();
    const settling = database.transaction((transaction) => late.settle(transaction, { status: 201, body: '{}' }));
    expect(await settling.catch((error: unknown) => error)).to.be.instanceOf(ClaimLost);
    const again: unknown = await idempotency.begin(request).catch((error: unknown) => error);
    expect(again, 'what the late one did').to.have.property('code', 'idempotency_in_progress');
  });

  it('of a key that was answered a day ago is a claim of its own, for another request too', async () => {
    for (const bodyText of [undefined, 'another']) {
      const request = await requestOf();
      const claim = await lateClaim(request);
      await database.transaction((transaction) => claim.settle(transaction, { status: 201, body: '{}' }));
      await database('idempotency_keys')
        .where('workspace_id', idToBytes(request.owner))
        .update({ expires_at: new Date(Date.now() - 1000) });
      const later = { ...request, bodyText: bodyText ?? request.bodyText };
      const begun = await createIdempotency({ database, encryption, leaseMs: () => 60_000 }).begin(later);
      expect(begun).to.have.property('claim');
      expect(begun).to.not.have.nested.property('claim.executionId', claim.executionId);
    }
  });

  it('of a key that was answered is none for a day', async () => {
    const request = await requestOf();
    const claim = await lateClaim(request);
    await database.transaction((transaction) => claim.settle(transaction, { status: 201, body: '{}' }));
    const [row] = await database('idempotency_keys')
      .where('workspace_id', idToBytes(request.owner))
      .select<{ readonly minutes: number }[]>(
        database.raw('TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(3), expires_at) AS minutes'),
      );
    expect(row?.minutes).to.be.within(23 * 60, 24 * 60);
  });

  it('is left alone by a late release of the one before', async () => {
    const request = await requestOf();
    const late = await lateClaim(request);
    const idempotency = createIdempotency({ database, encryption, leaseMs: () => 60_000 });
    const begun = await idempotency.begin(request);
    await late.release();
    const rows = () => database('idempotency_keys').where('workspace_id', idToBytes(request.owner));
    expect(await rows()).to.have.length(1);
    if ('claim' in begun) await begun.claim.release();
    expect(await rows()).to.have.length(0);
  });

  it('waits for its end by the database’s clock, wherever the clock of a server stands', async () => {
    const request = await requestOf();
    const idempotency = createIdempotency({ database, encryption, leaseMs: () => 60_000 });
    const begun = await idempotency.begin(request);
    const answer = { status: 201, body: '{}' };
    const clock = stopClock();
    try {
      for (const dayMs of [86_400_000, -2 * 86_400_000]) {
        clock.step(dayMs);
        const second = await idempotency.begin(request).catch((error: unknown) => error);
        expect(second).to.include({ code: 'idempotency_in_progress' });
      }
      clock.step(2 * 86_400_000);
      // A server that is a day ahead prunes no key that lives.
      for (let round = 0; round < 3; round++) idempotency.prune(100);
      await database.raw('SELECT 1');
    } finally {
      clock.release();
    }
    if ('claim' in begun) await database.transaction((transaction) => begun.claim.settle(transaction, answer));
    expect(await idempotency.begin(request)).to.deep.equal({ replay: answer });
  });
});
