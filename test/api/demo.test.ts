import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { seedDemo, type DemoAccess, type DemoTarget } from '../../db/seeds/demo.js';
import { readCandidates } from '../../src/cli/sources/candidates.js';
import { readTests } from '../../workers/models/index.js';
import { readSources } from '../../src/cli/sources/read.js';
import { bootApp, type TestApp } from '../support/app.js';
import { runVerdictJson } from '../support/cli.js';
import { call, callerOf } from '../support/http.js';
import { basic, tokenOf } from '../support/tokens.js';
import { migratedScratch, type ScratchDatabase } from '../support/scratch.js';
import { testEnvironment } from '../support/settings.js';

describe('the demo', () => {
  const models = join(projectRoot, 'db', 'seeds', 'demo');

  it('is of models that carry at least three tests each, all of which pass', async () => {
    const { candidates } = readCandidates(await readSources([models], '/'));
    expect(candidates).to.have.length(3);
    for (const { key, document } of candidates) {
      expect(readTests(document.model).tests, key).to.have.length.of.at.least(3);
    }
    expect(await runVerdictJson(['decision', 'validate', models])).to.include({ valid: true });
    expect(await runVerdictJson(['decision', 'test', models])).to.include({ failed: 0 });
  });

  describe('on an empty database', () => {
    let scratch: ScratchDatabase;
    let app: TestApp;
    let demo: DemoAccess;
    let seed: () => Promise<DemoAccess | undefined>;

    before(async () => {
      const { DATABASE_URL = '', ENCRYPTION_KEY = '' } = testEnvironment();
      scratch = await migratedScratch(DATABASE_URL);
      seed = () =>
        seedDemo({
          databaseUrl: scratch.url,
          encryptionKey: ENCRYPTION_KEY,
          inquiryUrl: 'http://localhost:3100/inquiries',
          keep: () => undefined,
        });
      demo = (await seed())!;
      app = await bootApp({ DATABASE_URL: scratch.url });
    });
    after(async () => {
      await app.stop();
      await scratch.drop();
    });

    it('runs its decision with what the first screen says', async () => {
      const token = await tokenOf(app.baseUrl, { id: demo.clientId, secret: demo.clientSecret });
      const caller = callerOf(app.baseUrl, token, demo.workspaceId);
      const path = `/logic/${demo.environmentId}/decisions/${demo.decisionId}/executions`;
      const answer = await caller.post(path, { fact: demo.fact });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.body).to.deep.include({
        status: 'COMPLETED',
        result: { discount: 0, shipping: 0, arrivesInDays: 2, total: 30 },
      });
    });

    it('has an inquiry whose link is at the address that it was given', async () => {
      const answer = await call(`${app.baseUrl}/fuse/v2/inquiries/${demo.inquiryId}`, {
        headers: { Authorization: basic(demo.clientId, demo.clientSecret) },
      });
      expect((answer.body as { url: string }).url).to.match(/^http:\/\/localhost:3100\/inquiries\/[\w-]{24}$/);
    });

    it('is made once', async () => {
      expect(await seed()).to.equal(undefined);
    });
  });

  describe('on a database of its own', () => {
    let scratch: ScratchDatabase;
    beforeEach(async () => {
      scratch = await migratedScratch(testEnvironment()['DATABASE_URL'] ?? '');
    });
    afterEach(() => scratch.drop());
    const seed = (target: Partial<DemoTarget> = {}): Promise<DemoAccess | undefined> =>
      seedDemo({
        databaseUrl: scratch.url,
        encryptionKey: testEnvironment()['ENCRYPTION_KEY'] ?? '',
        inquiryUrl: 'http://localhost:3100/inquiries',
        keep: () => undefined,
        ...target,
      });

    it('is made by the next run where one broke off half-way', async () => {
      // The inquiry is the last thing that is made, and this does not fit its column.
      const inquiryUrl = `http://localhost/${'x'.repeat(70_000)}`;
      const failure: unknown = await seed({ inquiryUrl }).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      expect(await seed()).to.have.property('inquiryId');
    });

    it('is not there without its access, which is shown once', async () => {
      const full = new Error('the disk is full');
      const keep = (): never => {
        throw full;
      };
      expect(await seed({ keep }).catch((error: unknown) => error)).to.equal(full);
      const kept: DemoAccess[] = [];
      const made = await seed({ keep: (demo) => void kept.push(demo) });
      expect([made]).to.deep.equal(kept);
    });

    it('is made once by two first runs at once', async () => {
      const made = await Promise.all([seed(), seed()]);
      expect(made.filter((demo) => demo !== undefined)).to.have.length(1);
    });
  });
});
