import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { serve } from '../../db/serve.js';
import { readJson } from '../../src/cli/privateJson.js';
import { isPortFree } from '../../db/services/ports.js';
import { adminUrl, askPool } from '../../src/cli/pool/adminPort.js';
import { eventually } from '../support/eventually.js';
import { scratchDatabase, type ScratchDatabase } from '../support/scratch.js';
import { testEnvironment } from '../support/settings.js';

describe('make run', () => {
  let root: string;
  let scratch: ScratchDatabase;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'verdict-serve-'));
    scratch = await scratchDatabase(testEnvironment()['DATABASE_URL'] ?? '');
  });
  after(async () => {
    await scratch.drop();
    rmSync(root, { recursive: true });
  });

  it('looks for its server, and says it is, where HOST and ADMIN_HOST put it, not at 127.0.0.1', async function () {
    if (!(await isPortFree(0, '::1').catch(() => false))) this.skip();
    const dir = join(root, '.run');
    const said: string[] = [];
    const stop = new AbortController();
    const hosts = { HOST: '::1', ADMIN_HOST: '::1', PORT: '0', ADMIN_PORT: '0' };
    const served = serve({
      dir,
      environment: { ...testEnvironment(), DATABASE_URL: scratch.url, ...hosts, ISSUER: '', LOG_LEVEL: 'silent' },
      serverFile: join(projectRoot, 'dist', 'server', 'main.js'),
      say: (line) => void said.push(line),
      stop: stop.signal,
    });
    try {
      const screen = await Promise.race<string>([
        served.then(() => expect.fail('ended by itself')),
        eventually(() => said.find((line) => line.includes('Verdict serves at'))),
      ]);
      const variables = readJson(join(dir, 'env.json')) as Record<string, string>;
      const baseUrl = `http://[::1]:${variables['PORT']}`;
      expect(variables).to.include({ ISSUER: baseUrl, INQUIRY_URL: `${baseUrl}/inquiries`, ADMIN_HOST: '::1' });
      expect(screen)
        .to.contain(`serves at ${baseUrl}`)
        .and.to.contain(`http://[::1]:${variables['ADMIN_PORT']}/healthz`);
      expect((await fetch(`${baseUrl}/openapi.json`)).status).to.equal(200);
      expect(await askPool(adminUrl({}, root)), 'for make pool-status').to.have.property('threads');
    } finally {
      stop.abort();
      await served;
    }
    expect(said.at(-1)).to.contain('Nothing is left running');
    expect(existsSync(join(dir, 'env.json')), 'a database that commands would still work on').to.equal(false);
    expect(readJson(join(dir, 'demo.json'))).to.have.nested.property('demo.clientSecret');
  });
});
