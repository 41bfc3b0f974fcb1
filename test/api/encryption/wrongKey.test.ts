import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createEncryption } from '../../../src/storage/encryption.js';
import { openScratchStore } from '../../support/factories.js';
import { bootApp } from '../../support/app.js';
import { expectProblem, timestamp } from '../../support/asserts.js';
import { verdictWith } from '../../support/cli.js';
import { expressing } from '../../support/models.js';
import { startServer } from '../../support/process.js';
import { remoteEnvironment } from '../../support/remote.js';
import { buildScene } from '../../support/scene.js';
import { longTimeouts } from '../../support/settings.js';

describe('a server with a wrong ENCRYPTION_KEY', () => {
  const [right, wrong] = [randomBytes(32), randomBytes(32)];
  const idOf = (key: Buffer): string => createEncryption(key).keyId.toString('hex');
  let store: Awaited<ReturnType<typeof openScratchStore>>;
  const settings = (present: Buffer, previous?: Buffer): Record<string, string> => ({
    DATABASE_URL: store.url,
    ENCRYPTION_KEY: present.toString('hex'),
    ENCRYPTION_KEYS_PREVIOUS: previous?.toString('hex') ?? '',
  });
  beforeEach(async () => {
    store = await openScratchStore({ ENCRYPTION_KEY: right.toString('hex') });
  });
  afterEach(() => store.close());

  it('does not start, and says which key it would need', async () => {
    const app = await bootApp(settings(right));
    try {
      await buildScene(app, { store });
      const before: unknown = await store.database('sealers').select('id');
      const failure: unknown = await startServer({ ...longTimeouts, ...settings(wrong) }).catch(
        (error: unknown) => error,
      );
      expect(String(failure)).to.contain(`ENCRYPTION_KEY (its id is ${idOf(wrong)}) does not decrypt`);
      expect(String(failure)).to.contain(`was encrypted with the key whose id is ${idOf(right)}`);
      expect(await store.database('sealers').select('id'), 'its lease').to.deep.equal(before);
    } finally {
      await app.stop();
    }
  });

  it('starts where ENCRYPTION_KEYS_PREVIOUS has the right one, and warns while others cannot decrypt', async () => {
    const app = await bootApp(settings(right));
    await buildScene(app, { store });
    const next = await bootApp(settings(wrong, right));
    const warning = 'other server processes cannot decrypt what this one encrypts';
    expect(next.log()).to.contain(warning);
    await Promise.all([next.stop(), app.stop()]);
    const alone = await bootApp(settings(wrong, right));
    expect(alone.log()).to.not.contain(warning);
    await alone.stop();
  });

  it('leaves variables that the API can mend: lists and runs name them, PUT and DELETE take them', async () => {
    const app = await bootApp(settings(right));
    try {
      const scene = await buildScene(app, { store });
      const { decisionId, environmentId } = await scene.deployed('d.json', expressing({ y: '$env.RATE' }));
      const path = `/logic/environments/${environmentId}/variables`;
      for (const name of ['KEY', 'RATE']) await scene.variable(environmentId, name, 1, name === 'KEY');
      await store.database('variables').update({ value: createEncryption(wrong).seal('1', 'variables/anything') });
      await store.database('environments').update({ config_revision: store.database.raw('config_revision + 1') });

      const listed = await scene.caller.get(path);
      const { data } = listed.body as { data: { updatedAt: string }[] };
      expect(data).to.deep.equal([
        { name: 'KEY', unreadable: true, secret: true, updatedAt: data[0]?.updatedAt },
        { name: 'RATE', unreadable: true, secret: false, updatedAt: data[1]?.updatedAt },
      ]);
      const remote = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
      const shown = await verdictWith(remote, 'variable', 'list', '--environment', environmentId);
      expect(shown.stdout).to.match(/RATE.*no key decrypts it/);

      const executions = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      const execute = () => scene.caller.post(executions, { fact: {} });
      let executed = await execute();
      // What was read before may be in use for a moment.
      while (executed.status === 201) executed = await execute();
      expectProblem(executed, 'internal_error', {
        instance: executions,
        detail: 'No key of the server decrypts the variable KEY. Set the variable again, or remove it.',
      });

      const written = await scene.caller.put(`${path}/RATE`, { value: 2 });
      expect(written.status, written.text).to.equal(200);
      const { updatedAt } = written.body as { updatedAt: string };
      expect(updatedAt).to.match(timestamp);
      expect(written.body).to.deep.equal({ name: 'RATE', value: 2, secret: false, updatedAt });
      expect((await scene.caller.delete(`${path}/KEY`)).status).to.equal(204);
      expect((await execute()).body).to.have.deep.property('result', { y: 2 });
      const audit = await scene.caller.get(`/logic/audit-entries?resourceType=variable&size=100`);
      expect(audit.status, audit.text).to.equal(200);
    } finally {
      await app.stop();
    }
  });
});
