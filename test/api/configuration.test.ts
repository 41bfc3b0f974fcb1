import { expect } from 'chai';
import { insertEnvironment } from '../../src/environments/environments.store.js';
import { loadConfiguration } from '../../src/environments/variables.store.js';
import { createEncryption } from '../../src/storage/encryption.js';
import { idToBytes } from '../../src/storage/ids.js';
import { verdict, verdictJson } from '../support/cliProcess.js';
import { buildWorkspace, openStore, type Store } from '../support/factories.js';

describe('the configuration of environments', () => {
  let store: Store;
  let workspaceId: string;
  let environmentId: string;
  before(async () => {
    store = openStore();
    workspaceId = await buildWorkspace(store);
  });
  after(() => store.close());
  beforeEach(async () => {
    const fields = { name: 'E', description: null, color: '#000' };
    environmentId = (await insertEnvironment(store.database, workspaceId, fields)).resource.id;
  });

  const place = (): string[] => ['--workspace', workspaceId, '--environment', environmentId];
  const set = (...args: string[]) => verdictJson(['variable', 'set', ...place(), ...args]);
  const load = () => loadConfiguration(store, workspaceId, environmentId);

  it('is empty at first, and null for another workspace', async () => {
    expect(await load()).to.deep.equal({ revision: 1, variables: {}, secrets: [], httpHosts: [] });
    expect(await loadConfiguration(store, await buildWorkspace(store), environmentId)).to.equal(undefined);
  });

  it('takes values as JSON where they parse as such, and moves its revision with every write', async () => {
    expect(await set('RATE', '1.50')).to.deep.equal({ name: 'RATE', value: 1.5, secret: false });
    expect(await set('TEXT', 'no json')).to.deep.equal({ name: 'TEXT', value: 'no json', secret: false });
    expect(await set('KEY', 'tops3cret', '--secret')).to.deep.equal({ name: 'KEY', value: null, secret: true });
    expect(await load()).to.deep.equal({
      revision: 4,
      variables: { KEY: 'tops3cret', RATE: 1.5, TEXT: 'no json' },
      secrets: ['KEY'],
      httpHosts: [],
    });
    expect(await verdictJson(['variable', 'unset', ...place(), 'RATE'])).to.deep.equal({ name: 'RATE', removed: true });
    const again = await verdict(['variable', 'unset', ...place(), 'RATE']);
    expect([again.code, again.stdout, again.stderr.includes('has no variable RATE')]).to.deep.equal([1, '', true]);
    expect((await load())?.variables).to.have.all.keys('KEY', 'TEXT');
  });

  it('refuses a number that no double holds: null was stored in its place', async () => {
    for (const value of ['1e400', '-1e400', '{"limits":[1,1e999]}']) {
      const { code, stdout, stderr } = await verdict(['variable', 'set', ...place(), 'LIMIT', value]);
      expect([code, stdout, stderr]).to.deep.equal([
        1,
        '',
        'error: a number in the value is beyond the range of a double.\n',
      ]);
    }
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const { code, stderr } = await verdict(['variable', 'set', ...place(), 'LIMIT', deep]);
    expect([code, stderr]).to.deep.equal([1, 'error: the value nests too deeply.\n']);
    expect((await load())?.variables).to.deep.equal({});
  });

  it('shows and stores no secret', async () => {
    await set('KEY', 'tops3cret', '--secret');
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await verdict(['variable', 'list', ...place(), ...args]);
      expect(code).to.equal(0);
      expect(stdout).to.include('KEY');
      expect(stdout + stderr).to.not.include('tops3cret');
    }
    const [row] = (await store
      .database('variables')
      .select('value')
      .where('environment_id', idToBytes(environmentId))) as { value: Buffer }[];
    expect(row?.value.includes('tops3cret')).to.equal(false);
  });

  it('does not open a value that was moved to another name, nor with another key', async () => {
    await set('KEY', 'tops3cret', '--secret');
    const otherKey = createEncryption(Buffer.alloc(32, 9));
    const opened: unknown = await loadConfiguration(
      { ...store, encryption: otherKey },
      workspaceId,
      environmentId,
    ).catch(() => 'refused');
    expect(opened).to.equal('refused');
    await store.database('variables').where('environment_id', idToBytes(environmentId)).update({ name: 'OTHER' });
    expect(await load().catch(() => 'refused')).to.equal('refused');
  });

  it('keeps the list of hosts in one form', async () => {
    const hosts = ['environment', 'hosts'];
    const shown = { environmentId, hosts: ['api.example.com:8443', '*.example.org', 'xn--mnchen-3ya.de'] };
    const given = ['API.Example.com:8443', '*.example.org', 'münchen.de', 'api.example.com:8443'];
    expect(await verdictJson([...hosts, 'set', ...given, ...place()])).to.deep.equal(shown);
    expect(await verdictJson([...hosts, 'show', ...place()])).to.deep.equal(shown);
    expect(await load()).to.deep.include({ revision: 2, httpHosts: shown.hosts });
    expect(await verdictJson([...hosts, 'set', ...place()])).to.deep.equal({ environmentId, hosts: [] });
  });

  it('of an environment that is not there is refused', async () => {
    environmentId = workspaceId;
    for (const args of [
      ['variable', 'set', 'A', '1'],
      ['variable', 'list'],
      ['environment', 'hosts', 'show'],
    ]) {
      const { code, stdout, stderr } = await verdict([...args, ...place()]);
      expect([code, stdout, stderr.includes('There is no environment')]).to.deep.equal([1, '', true]);
    }
  });
});
