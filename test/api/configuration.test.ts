import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatJson, LongNumber } from '../../workers/json/index.js';
import { environments } from '../../src/environments/environments.store.js';
import { loadConfiguration } from '../../src/environments/variables.store.js';
import { idToBytes } from '../../src/storage/ids.js';
import { useApp } from '../support/app.js';
import { runVerdict } from '../support/cli.js';
import type { CliAnswer, CliOptions } from '../support/cliProcess.js';
import { buildClient, buildWorkspace, type BuiltClient, useStore } from '../support/factories.js';
import { remoteEnvironment } from '../support/remote.js';

describe('the configuration of environments', () => {
  const app = useApp();
  const store = useStore();
  let client: BuiltClient;
  let workspaceId: string;
  let environmentId: string;
  before(async () => {
    client = await buildClient(store);
    ({ workspaceId } = client);
  });
  beforeEach(async () => {
    const fields = { name: 'E', description: null, color: '#000' };
    environmentId = (await environments.insert(store.database, workspaceId, fields)).id;
  });

  const verdict = (args: readonly string[], options: CliOptions = {}): Promise<CliAnswer> =>
    runVerdict(args, { ...options, environment: remoteEnvironment(app, client) });
  const verdictJson = async (args: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await verdict([...args, '--json']);
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout) as unknown;
  };
  const place = (): string[] => ['--workspace', workspaceId, '--environment', environmentId];
  const set = (...args: string[]) => verdictJson(['variable', 'set', ...place(), ...args]);
  const load = () => loadConfiguration(store, workspaceId, environmentId);

  it('is empty at first, and null for another workspace', async () => {
    expect(await load()).to.deep.equal({ revision: 1, variables: {}, secrets: [], httpHosts: [] });
    expect(await loadConfiguration(store, await buildWorkspace(store), environmentId)).to.equal(undefined);
  });

  it('reads no variable again while its revision stays', async () => {
    await set('RATE', '1.50');
    await set('KEY', 'tops3cret', '--secret');
    const rowsRead: number[] = [];
    const note = (rows: readonly unknown[]): void => void rowsRead.push(rows.length);
    store.database.on('query-response', note);
    const known = await load();
    expect(await loadConfiguration(store, workspaceId, environmentId, known)).to.equal(known);
    store.database.removeListener('query-response', note);
    expect(rowsRead).to.deep.equal([2, 1]);
    await set('RATE', '2');
    expect(await loadConfiguration(store, workspaceId, environmentId, known)).to.deep.equal(await load());
  });

  it('takes values as JSON where they parse as such, and moves its revision with every write', async () => {
    expect(await set('RATE', '1.50')).to.deep.equal({ name: 'RATE', value: 1.5, secret: false });
    expect(await set('TEXT', 'no json')).to.deep.equal({ name: 'TEXT', value: 'no json', secret: false });
    expect(await set('KEY', 'tops3cret', '--secret')).to.deep.equal({ name: 'KEY', value: null, secret: true });
    expect(await load()).to.deep.equal({
      revision: 4,
      variables: { KEY: 'tops3cret', RATE: new LongNumber('1.50'), TEXT: 'no json' },
      secrets: ['KEY'],
      httpHosts: [],
    });
    expect(await verdictJson(['variable', 'unset', ...place(), 'RATE'])).to.deep.equal({ name: 'RATE', removed: true });
    const again = await verdict(['variable', 'unset', ...place(), 'RATE']);
    expect([again.code, again.stdout, again.stderr.includes('has no variable RATE')]).to.deep.equal([1, '', true]);
    expect((await load())?.variables).to.have.all.keys('KEY', 'TEXT');
  });

  it('refuses a number that no double holds', async () => {
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

  it('keeps every digit of a number, and refuses one of more than runs have: it stores no text in place of it', async () => {
    const { stdout: told } = await verdict(['variable', 'set', ...place(), 'ID', '12345678901234567890']);
    expect(told).to.match(/^value +12345678901234567890$/m);
    await set('IDS', '[9007199254740993,1.50]');
    await set('RATE', '1.50e1');
    for (const value of ['12345678901234567890123456789.5', '[12345678901234567890123456789.5]']) {
      const { code, stdout, stderr } = await verdict(['variable', 'set', ...place(), 'LONG', value]);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.include('more than 28 digits');
    }
    expect(formatJson((await load())?.variables)).to.equal(
      '{"ID":12345678901234567890,"IDS":[9007199254740993,1.50],"RATE":15}',
    );
    const { stdout } = await verdict(['variable', 'list', ...place()]);
    expect(stdout).to.include('12345678901234567890').and.include('[9007199254740993,1.50]');
  });

  it('takes a secret as the text that it is, and as JSON only with --json where that changes nothing', async () => {
    const texts = ['12345678901234567890', '48213e02', '1.50', 'true', '{"a":1}', '"quoted"', '007', ' x '];
    for (const text of texts) {
      const { code, stderr } = await verdict(['variable', 'set', ...place(), 'KEY', text, '--secret']);
      expect(code, stderr).to.equal(0);
      expect(await load(), text).to.deep.include({ secrets: ['KEY'], variables: { KEY: text } });
    }
    for (const [text, value] of [
      ['12345678901234567890', '12345678901234567890'],
      ['48213e02', '48213e02'],
      ['{"a":1}', { a: 1 }],
      ['42', 42],
      ['no json', 'no json'],
    ] as const) {
      await set('KEY', text, '--secret');
      expect(await load(), text).to.deep.include({ secrets: ['KEY'], variables: { KEY: value } });
    }
  });

  it('takes values that begin with -, from standard input and from files', async () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----';
    const folder = await mkdtemp(join(tmpdir(), 'verdict-values-'));
    await writeFile(join(folder, 'key.pem'), `${pem}\n`);
    const options = { directory: folder };
    const give = async (args: string[], input = ''): Promise<unknown> => {
      const { code, stderr } = await verdict(['variable', 'set', ...place(), 'KEY', ...args], { ...options, input });
      expect(code, stderr).to.equal(0);
      return (await load())?.variables['KEY'];
    };
    expect(await give([pem, '--secret'])).to.equal(pem);
    expect(await give(['--secret', '--', '-x'])).to.equal('-x');
    expect(await give(['-5'])).to.equal(-5);
    expect(await give(['--secret', '--from-file', 'key.pem'])).to.equal(pem);
    expect(await give(['-', '--secret'], `${pem}\r\n`)).to.equal(pem);
    expect(await give(['-'], '{"a": [1]}\n')).to.deep.equal({ a: [1] });
    await rm(folder, { recursive: true });
  });

  it('names no argument in an error', async () => {
    const secret = '-----BEGIN tops3cret';
    const wrong = [
      [...place(), 'KEY', secret, '--secret', 'more'],
      [...place(), secret, 'KEY', '--secret'],
      [...place(), 'KEY', '--from-file', secret],
      [...place(), 'KEY', secret, '--from-file', 'x'],
      [...place(), 'KEY', '--secret', '--tops3cret=1', secret],
      ['--workspace', 'tops3cret', '--environment', environmentId, 'KEY', '1'],
      ['--workspace', workspaceId, '--environment', `'${secret}' is invalid.`, 'KEY', '1'],
      ['KEY', secret, '--secret'],
    ];
    for (const args of wrong) {
      const { code, stdout, stderr } = await verdict(['variable', 'set', ...args]);
      expect(code, args.join(' ')).to.be.oneOf([1, 2]);
      expect(stdout + stderr)
        .to.not.include('tops3cret')
        .and.not.equal('');
    }
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
});
