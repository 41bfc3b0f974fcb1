import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { choosePorts, serverVariables, type Variables } from '../../../db/environment.js';
import { keepVariables, removeVariables } from '../../../db/environmentFile.js';
import { ServicesError } from '../../../db/services/errors.js';
import { freePort, isPortFree } from '../../../db/services/ports.js';
import { markOf } from '../../../src/cli/processMark.js';
import { welcome } from '../../../db/welcome.js';
import { useFreshFolder } from '../../support/folder.js';

const ports = { host: '127.0.0.1', port: 3210, adminHost: '127.0.0.1', adminPort: 3211 };
const known = { ports, databaseUrl: 'mysql://u:p@127.0.0.1:4000/verdict', redisUrl: null };

describe('variables of make run', () => {
  const dir = useFreshFolder();
  const file = (): Record<string, unknown> =>
    JSON.parse(readFileSync(join(dir, 'env.json'), 'utf8')) as Record<string, unknown>;
  /** What the file holds beside the mark of its run. */
  const kept = (): unknown => Object.fromEntries(Object.entries(file()).filter(([name]) => name !== 'owner'));
  /** As a run makes and keeps them. */
  const variablesOf = (environment: Variables, of = known): Record<string, string> => {
    const variables = serverVariables(dir, environment, of);
    expect(keepVariables(dir, variables)).to.equal(undefined);
    return variables;
  };

  it('make the encryption key once, and keep it for the owner alone', () => {
    const first = variablesOf({});
    expect(first['ENCRYPTION_KEY']).to.match(/^[0-9a-f]{64}$/);
    expect(kept()).to.deep.equal(first);
    for (const file of readdirSync(dir)) expect(statSync(join(dir, file)).mode & 0o777, file).to.equal(0o600);
    const second = variablesOf({}, { ...known, databaseUrl: 'mysql://u:p@127.0.0.1:4001/verdict' });
    expect(second).to.deep.equal({ ...first, DATABASE_URL: 'mysql://u:p@127.0.0.1:4001/verdict' });
  });

  const own = { ...known, databaseUrl: 'mysql://u:p@db.example/own' };
  const ownKey = { ENCRYPTION_KEY: 'ab'.repeat(32), DATABASE_URL: own.databaseUrl };

  it("pair the user's database with the user's key, not with the kept one, which comes back without it", () => {
    const first = variablesOf({});
    const second = variablesOf(ownKey, own);
    expect(second).to.include(ownKey);
    expect(kept(), 'for the command line').to.deep.equal(second);
    expect(variablesOf({})).to.deep.equal(first);
    expect(kept()).to.deep.equal(first);
  });

  it('take another key for the database of the folder, and go on opening with the one before', () => {
    const [first, second, third] = [variablesOf({})['ENCRYPTION_KEY'] ?? '', 'ab'.repeat(32), 'cd'.repeat(32)];
    const changed = { ENCRYPTION_KEY: second, ENCRYPTION_KEYS_PREVIOUS: first };
    expect(variablesOf({ ENCRYPTION_KEY: second })).to.include(changed);
    expect(kept(), 'for the command line').to.include(changed);
    expect(variablesOf({}), 'without naming it again').to.include(changed);
    expect(variablesOf({ ENCRYPTION_KEY: third, ENCRYPTION_KEYS_PREVIOUS: first })).to.include({
      ENCRYPTION_KEY: third,
      ENCRYPTION_KEYS_PREVIOUS: [first, second].join(),
    });
    expect(variablesOf({ ENCRYPTION_KEY: second }), 'and back').to.include({
      ENCRYPTION_KEY: second,
      ENCRYPTION_KEYS_PREVIOUS: [third, first].join(),
    });
    expect(() => variablesOf({ ENCRYPTION_KEYS_PREVIOUS: 'oops' })).to.throw(
      ServicesError,
      'ENCRYPTION_KEYS_PREVIOUS must be',
    );
  });

  it('keep no key that the server would refuse, and lose none to it', () => {
    const oops = { ENCRYPTION_KEY: 'oops' };
    expect(() => variablesOf(oops)).to.throw(ServicesError, 'ENCRYPTION_KEY must be 32 bytes');
    expect(readdirSync(dir)).to.deep.equal([]);
    writeFileSync(join(dir, 'key.json'), JSON.stringify(oops));
    const first = variablesOf({});
    expect(first['ENCRYPTION_KEY']).to.match(/^[0-9a-f]{64}$/);
    expect(() => variablesOf(oops)).to.throw(ServicesError);
    expect(variablesOf({})).to.deep.equal(first);
  });

  it('leave Redis out where there is none, and take public addresses that fit the port', () => {
    const variables = variablesOf({});
    expect(variables).to.not.have.property('REDIS_URL');
    expect(variables['ISSUER']).to.equal('http://localhost:3210');
    expect(variables['INQUIRY_URL']).to.equal('http://localhost:3210/inquiries');
    expect(variables['LOG_MESSAGES'], 'to find the link in the log').to.equal('true');
    const set = { ISSUER: 'https://x.example', INQUIRY_URL: 'https://flow.example', LOG_MESSAGES: 'false' };
    expect(variablesOf(set)).to.include(set);
    expect(kept(), 'for the command line').to.include(set);
  });

  for (const [host, origin] of [
    ['127.0.0.1', 'http://localhost:3210'],
    ['0.0.0.0', 'http://localhost:3210'],
    ['::', 'http://localhost:3210'],
    ['192.168.1.5', 'http://192.168.1.5:3210'],
    ['::1', 'http://[::1]:3210'],
    ['box.local', 'http://box.local:3210'],
  ] as const) {
    it(`take ${origin} as the public address where HOST is ${host}`, () => {
      const variables = variablesOf({}, { ...known, ports: { ...ports, host } });
      expect(variables).to.include({ ISSUER: origin, INQUIRY_URL: `${origin}/inquiries` });
    });
  }

  it('tell the command line where the admin port listens', () => {
    variablesOf({}, { ...known, ports: { ...ports, adminHost: '192.168.1.5' } });
    expect(kept()).to.include({ ADMIN_HOST: '192.168.1.5', ADMIN_PORT: '3211' });
  });

  it('stay those of the first of two runs at once, and go with it', () => {
    const first = { ...variablesOf({}), owner: markOf(process.ppid) };
    writeFileSync(join(dir, 'env.json'), JSON.stringify(first));
    expect(keepVariables(dir, serverVariables(dir, ownKey, own))).to.deep.equal(markOf(process.ppid));
    expect(file()).to.deep.equal(first);
    removeVariables(dir);
    expect(file(), 'after the second').to.deep.equal(first);
    writeFileSync(join(dir, 'env.json'), JSON.stringify({ ...first, owner: { ...first.owner, born: 'earlier' } }));
    variablesOf(ownKey, own);
    expect(file(), 'after a kill of the first').to.include({ DATABASE_URL: own.databaseUrl });
    removeVariables(dir);
    expect(readdirSync(dir)).to.deep.equal(['key.json']);
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

  const refusalOf = async (environment: Variables): Promise<string> => {
    const refusal: unknown = await choosePorts({ PORT: '0', ADMIN_PORT: '0', ...environment }).catch(
      (thrown: unknown) => thrown,
    );
    expect(refusal).to.be.instanceOf(ServicesError);
    return String(refusal);
  };

  for (const variable of ['HOST', 'ADMIN_HOST']) {
    const port = variable.replace('HOST', 'PORT');

    it(`do not call a port taken where ${variable} is no address of this machine, or none at all`, async () => {
      // 192.0.2.0/24 and .invalid are reserved for examples: RFC 5737, RFC 2606.
      for (const host of ['192.0.2.1', 'nowhere.invalid']) {
        for (const given of ['0', '3999']) {
          expect(await refusalOf({ [variable]: host, [port]: given }))
            .to.match(new RegExp(`\\b${variable}\\b.*${host}`))
            .and.to.not.contain('taken');
        }
      }
    });

    it(`do not call a port taken where ${port} is the administrator's`, async function () {
      if (await isPortFree(81).catch(() => false)) this.skip();
      expect(await refusalOf({ [port]: '81' })).to.match(new RegExp(`\\b${port}\\b.*may not`));
    });
  }

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
    // What the console asks for, in one line.
    expect(screen.split('\n').filter((line) => /sign in with +c  s$/.test(line))).to.have.length(1);
    expect(screen).to.contain("-u 'c:s' http://localhost:3000/fuse/v2/inquiries/i");
  });
});
