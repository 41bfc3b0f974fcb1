import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { resealTable } from '../../../src/encryption/reseal.js';
import { rotateEncryption, type EncryptionRotation } from '../../../src/encryption/rotate.js';
import { takeLease } from '../../../src/jobs/leases.store.js';
import { createSealingLease } from '../../../src/encryption/sealingLease.js';
import { sealedTables } from '../../../src/encryption/rotate.js';
import { environments } from '../../../src/environments/environments.store.js';
import {
  openVariable,
  sealedVariables,
  sealVariable,
  type SealedVariable,
} from '../../../src/environments/sealedVariable.js';
import { setVariable } from '../../../src/environments/variables.store.js';
import { createAuthenticateClient } from '../../../src/oauth/authenticateClient.js';
import { idToBytes, newId } from '../../../src/storage/ids.js';
import { createEncryption, type Encryption } from '../../../src/storage/encryption.js';
import { verdictWith, type CommandResult } from '../../support/cli.js';
import { buildClient, type BuiltClient, openScratchStore } from '../../support/factories.js';
import { isLong } from '../../support/environment.js';
import { statementsWait } from '../../support/locks.js';
import { answered, columnsOfBytes, columnsSealedBy, fillSealed, openAll } from '../../support/sealed.js';
import { testEnvironment, testPace } from '../../support/settings.js';
import { basic } from '../../support/tokens.js';

/** When a rotation is killed: before a value's UPDATE, while it is on its way, and after it. */
const moments = ['sent', 'after', 'before'] as const;

describe('a change of the master key', () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const withOld = createEncryption(oldKey);
  const withBoth = createEncryption(newKey, [oldKey]);
  const withNew = createEncryption(newKey);
  let store: Awaited<ReturnType<typeof openScratchStore>>;
  beforeEach(async () => {
    store = { ...(await openScratchStore()), encryption: withOld };
  });
  afterEach(() => store.close());

  const rotate = (options: Partial<Parameters<typeof rotateEncryption>[0]> = {}): Promise<EncryptionRotation> =>
    rotateEncryption({ ...store, encryption: withBoth, ...options });
  const logIn = async ({ id, secret }: Pick<BuiltClient, 'id' | 'secret'>, encryption: Encryption): Promise<string> => {
    const authenticate = createAuthenticateClient({
      database: store.database,
      encryption,
      maxAgeMs: testPace.accessAge,
    });
    return (await authenticate(basic(id, secret), '127.0.0.1')).id;
  };
  const sealedColumns = sealedTables.flatMap(({ table, contexts }) =>
    Object.keys(contexts).map((column) => `${table}.${column}`),
  );

  it('knows every column of bytes', async () => {
    expect(await columnsOfBytes(store.database)).to.have.members(sealedColumns);
  });

  it('seals every column anew, so that the new key alone opens all, and no client needs another secret', async () => {
    const client = await fillSealed(store);
    const before = await openAll(store.database, withOld);
    expect(Object.keys(before)).to.have.members(sealedColumns);
    for (const [column, count] of Object.entries(before)) expect(count, column).to.be.greaterThan(0);
    const values = Object.values(before).reduce((sum, count) => sum + count, 0);

    expect(await rotate()).to.deep.equal({
      keyId: withNew.keyId.toString('hex'),
      resealed: values,
      unreadable: 0,
      otherSealers: 0,
    });
    expect(await openAll(store.database, withNew)).to.deep.equal(before);
    expect(await columnsSealedBy(store.database, withOld, await columnsOfBytes(store.database))).to.deep.equal([]);
    expect(await logIn(client, withNew)).to.equal(client.id);
    const later = await buildClient({ ...store, encryption: withNew });
    expect(await logIn(later, withNew)).to.equal(later.id);
    const [entry] = (await store.database('audit_entries').where('action', 'encryption.rotate')) as object[];
    expect(entry).to.include({ principal: 'operator:test', resource_id: withNew.keyId.toString('hex') });
  });

  it('changes nothing where it is done already', async () => {
    await fillSealed(store);
    await rotate();
    const read = (): Promise<unknown> => store.database('inquiries').select();
    const rows = await read();
    expect(await rotate()).to.include({ resealed: 0, unreadable: 0 });
    expect(await read()).to.deep.equal(rows);
  });

  it('goes on where it was interrupted', async () => {
    const { workspaceId } = await fillSealed(store);
    for (let key = 0; key < 20; key++) await answered(store, workspaceId, `more ${key}`);
    let tables = 0;
    const interrupted: unknown = await rotate({
      onRows() {
        if (++tables === 4) throw new Error('interrupted');
      },
    }).catch((error: unknown) => error);
    expect(String(interrupted)).to.equal('Error: interrupted');
    const before = await openAll(store.database, withBoth);
    const { resealed } = await rotate();
    const values = Object.values(before).reduce((sum, count) => sum + count, 0);
    expect(resealed).to.be.greaterThan(20).and.lessThan(values);
    expect(await openAll(store.database, withNew)).to.deep.equal(before);
  });

  it('leaves what is written while the value before it is sealed anew, and looks at it again', async () => {
    const { database } = store;
    const { workspaceId } = await buildClient(store);
    const fields = { name: 'Environment', description: null, color: '#ffffff' };
    const { id: environmentId } = await environments.create(store, workspaceId, fields);
    const ref = { workspaceId, environmentId };
    await setVariable(store, ref, { name: 'V', value: 1, secret: false });
    const writing = await database.transaction();
    await writing('variables').update({ value: sealVariable(withOld, ref, 'V', '2') });
    const sealing = resealTable({ database, encryption: withBoth }, sealedVariables, () => undefined);
    // It has read the value before.
    await statementsWait(database, /^update `variables` FORCE INDEX/);
    await writing.commit();
    expect(await sealing).to.deep.equal({ resealed: 0, missed: 1, unreadable: 0 });
    const [row] = await database('variables').select<SealedVariable[]>('name', 'value');
    expect(row && openVariable({ encryption: withOld }, ref, row)).to.equal(2);
  });

  it('counts what no key opens, and leaves it as it is', async () => {
    const { tenantId } = await fillSealed(store);
    const other = createEncryption(randomBytes(32)).seal('lost', 'anything');
    const callbacks = () => store.database('callbacks').whereNotNull('tenant_id');
    await callbacks().update({ previous_secret: other });
    expect(await rotate()).to.include({ unreadable: 1, otherSealers: 0 });
    const [callback] = await callbacks().select<{ previous_secret: Buffer }[]>('previous_secret');
    expect(callback?.previous_secret.equals(other), tenantId).to.equal(true);
  });

  it('is not finished while a process seals with another key, and is once that has ended', async () => {
    await fillSealed(store);
    const lease = createSealingLease({ database: store.database, encryption: createEncryption(oldKey, [newKey]) });
    const present = createSealingLease({ database: store.database, encryption: withBoth });
    await Promise.all([lease.start(), present.start()]);
    const waited: number[] = [];
    const waiting = { waitMs: 0, onWait: (processes: number) => void waited.push(processes) };
    expect(await rotate(waiting)).to.include({ otherSealers: 1 });
    await lease.stop();
    expect(await rotate(waiting)).to.include({ otherSealers: 0 });
    expect(waited).to.deep.equal([1]);
    await present.stop();
    // `fillSealed` leaves messages that wait to be sent.
    const leases = store.database('jobs').where('kind', 'sealing');
    expect([await store.database('sealers'), await leases]).to.deep.equal([[], []]);
  });

  it('is not finished beside a process that began while another one ended', async () => {
    const encryption = createEncryption(oldKey, [newKey]);
    const [ending, begun] = [0, 1].map(() => createSealingLease({ database: store.database, encryption }));
    await ending!.start();
    // Holds up the end after its look at who is there.
    const holding = await store.database.transaction();
    await holding('sealers').select('id').forUpdate();
    const ended = ending!.stop();
    await statementsWait(store.database, /^delete from `sealers`/);
    await begun!.start();
    await holding.rollback();
    await ended;
    expect(await rotate({ waitMs: 0 })).to.include({ otherSealers: 1 });
    await begun!.stop();
  });

  it('is refused while a process does not know the present key, and changes nothing then', async () => {
    await fillSealed(store);
    const before = await columnsSealedBy(store.database, withBoth, await columnsOfBytes(store.database));
    const lease = createSealingLease({ database: store.database, encryption: withOld });
    await lease.start();
    const refused: unknown = await rotate().catch((error: unknown) => error);
    expect(refused).to.include({ name: 'KeyNotKnown', processes: 1 });
    expect(await columnsSealedBy(store.database, withBoth, await columnsOfBytes(store.database))).to.deep.equal(before);
    expect(await rotate({ waitMs: 0, force: true }), 'by force').to.include({ unreadable: 0, otherSealers: 1 });
    await lease.stop();
    expect(await rotate({ waitMs: 0 })).to.include({ otherSealers: 0 });
  });

  it('killed at any of its steps, leaves everything to be opened, and is finished by those after it', async () => {
    await fillSealed(store);
    const before = await openAll(store.database, withOld);
    const settings = {
      ...testEnvironment(),
      DATABASE_URL: store.url,
      ENCRYPTION_KEY: newKey.toString('hex'),
    };
    const script = join(import.meta.dirname, '..', '..', 'support', 'killed-rotation.js');
    const killed: string[] = [];
    for (let run = 0; ; run++) {
      const moment = moments[run % moments.length] ?? '';
      const args = [script, moment, oldKey.toString('hex'), isLong ? '1' : '3'];
      const child = spawn(process.execPath, args, { env: settings, stdio: 'inherit' });
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      expect(await openAll(store.database, withBoth), `killed ${moment}`).to.deep.equal(before);
      if (code === 0) break;
      expect(signal).to.equal('SIGKILL');
      killed.push(moment);
    }
    expect(await openAll(store.database, withNew)).to.deep.equal(before);
    expect(killed).to.include.members([...moments]);
  });

  it('does not wait for ever for a process that was killed', async () => {
    const id = newId();
    await takeLease(store.database, { kind: 'sealing', id }, 1000);
    const opens = [withOld, withNew].map(({ keyId }) => keyId.toString('hex')).join(' ');
    await store.database('sealers').insert({ id: idToBytes(id), key_id: withOld.keyId, opens });
    expect(await rotate({ waitMs: 20_000 })).to.include({ otherSealers: 0 });
  });

  describe('verdict encryption rotate', () => {
    const command = (...args: string[]): Promise<CommandResult> =>
      verdictWith(
        {
          DATABASE_URL: store.url,
          ENCRYPTION_KEY: newKey.toString('hex'),
          ENCRYPTION_KEYS_PREVIOUS: `${randomBytes(32).toString('base64')}, ${oldKey.toString('hex')}`,
        },
        'encryption',
        'rotate',
        ...args,
      );

    it('says that the keys before are no longer needed', async () => {
      await fillSealed(store);
      const { exit, stdout, stderr } = await command();
      expect({ exit, stderr }).to.deep.equal({ exit: 0, stderr: '' });
      expect(stdout).to.match(/^key +[0-9a-f]{8}\nvalues encrypted anew +\d+\nvalues that no key opens +0\n/);
      expect(stdout).to.match(/\nThe keys in ENCRYPTION_KEYS_PREVIOUS are no longer needed\.\n$/);
      await openAll(store.database, withNew);
      const again = await command('--json');
      const keyId = withNew.keyId.toString('hex');
      expect(again.json).to.deep.equal({ keyId, resealed: 0, unreadable: 0, otherSealers: 0, finished: true });
    });

    it('is refused where a server does not know the key, and says what to do', async () => {
      const lease = createSealingLease({ database: store.database, encryption: withOld });
      await lease.start();
      const { exit, stdout, stderr } = await command();
      expect({ exit, stdout }).to.deep.equal({ exit: 1, stdout: '' });
      expect(stderr).to.match(/^error: 1 server process could not decrypt .* Nothing was changed\.\nName the key in/);
      await lease.stop();
    });

    it('does not say so while a value is left that no key opens', async () => {
      await fillSealed(store);
      await store.database('callbacks').update({ secret: randomBytes(80) });
      const { exit, stdout } = await command();
      expect(exit).to.equal(1);
      expect(stdout).to.contain('name it in ENCRYPTION_KEYS_PREVIOUS').and.not.contain('no longer needed');
    });
  });
});
