import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { choosePorts, serverVariables } from '../../../db/environment.js';
import { freePort } from '../../../db/services/ports.js';
import { welcome } from '../../../db/welcome.js';

const ports = { host: '127.0.0.1', port: 3210, adminPort: 3211 };
const known = { ports, databaseUrl: 'mysql://u:p@127.0.0.1:4000/verdict', redisUrl: null };

describe('variables of make run', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'verdict-env-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const kept = (): unknown => JSON.parse(readFileSync(join(dir, 'env.json'), 'utf8'));

  it('make the encryption key once, and keep it for the owner alone', () => {
    const first = serverVariables(dir, {}, known);
    expect(first['ENCRYPTION_KEY']).to.match(/^[0-9a-f]{64}$/);
    expect(kept()).to.deep.equal(first);
    expect(statSync(join(dir, 'env.json')).mode & 0o777).to.equal(0o600);
    const second = serverVariables(dir, {}, { ...known, databaseUrl: 'mysql://u:p@127.0.0.1:4001/verdict' });
    expect(second).to.deep.equal({ ...first, DATABASE_URL: 'mysql://u:p@127.0.0.1:4001/verdict' });
  });

  it("use the user's key without losing the kept one", () => {
    const first = serverVariables(dir, {}, known);
    const second = serverVariables(dir, { ENCRYPTION_KEY: 'ab'.repeat(32) }, known);
    expect(second['ENCRYPTION_KEY']).to.equal('ab'.repeat(32));
    expect(kept()).to.have.property('ENCRYPTION_KEY', first['ENCRYPTION_KEY']);
  });

  it('leave Redis out where there is none, and take public addresses that fit the port', () => {
    const variables = serverVariables(dir, {}, known);
    expect(variables).to.not.have.property('REDIS_URL');
    expect(variables['ISSUER']).to.equal('http://localhost:3210');
    expect(variables['INQUIRY_URL']).to.equal('http://localhost:3210/inquiries');
    const set = { ISSUER: 'https://x.example', INQUIRY_URL: 'https://flow.example' };
    expect(serverVariables(dir, set, known)).to.include(set);
    expect(kept(), 'for the command line').to.include(set);
  });

  it('say which one to set when a port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const free = String(await freePort());
    for (const variable of ['PORT', 'ADMIN_PORT']) {
      const environment = { PORT: free, ADMIN_PORT: free, [variable]: port };
      const error: unknown = await choosePorts(environment).catch((thrown: unknown) => thrown);
      expect(String(error))
        .to.contain(`Port ${port} is taken`)
        .and.to.match(/: PORT=\d+ ADMIN_PORT=\d+ make run$/)
        .and.not.to.match(new RegExp(`[ _]${variable}=${port} `));
    }
    const both: unknown = await choosePorts({ PORT: port, ADMIN_PORT: port }).catch((thrown: unknown) => thrown);
    expect(String(both)).to.match(/is taken by .* is taken by /);
    taken.close();
  });

  it('take 0 as any free port, an empty text as not set, and refuse what is no port', async () => {
    const chosen = await choosePorts({ PORT: '0', ADMIN_PORT: '0', HOST: '' });
    expect(chosen.host).to.equal('127.0.0.1');
    expect(chosen.port).to.be.greaterThan(0);
    const error: unknown = await choosePorts({ PORT: 'http' }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain('PORT must be a port');
  });
});

describe('the one screen of make run', () => {
  it('quotes the fact for the shell', () => {
    const demo = {
      clientId: 'c',
      clientSecret: 's',
      workspaceId: 'w',
      environmentId: 'e',
      decisionId: 'd',
      fact: { name: "O'Hara" },
      inquiryId: 'i',
    };
    const screen = welcome({ baseUrl: 'http://localhost:3000', adminUrl: 'http://127.0.0.1:3001', demo });
    expect(screen).to.contain(`-d '{"fact":{"name":"O'\\''Hara"}}'`);
    expect(screen).to.contain('http://localhost:3000/logic/e/decisions/d/executions');
    expect(screen).to.contain("-u 'c:s' http://localhost:3000/fuse/v2/inquiries/i");
  });
});
