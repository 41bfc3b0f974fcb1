import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { acquire, ownerOf, release } from '../../../db/services/lock.js';
import { isAlive, markOf } from '../../../src/cli/processMark.js';
import { terminate } from '../../../db/services/processes.js';
import { clearState, passwordsOf, readPorts, readState, writeState } from '../../../db/services/state.js';
import { useFreshFolder } from '../../support/folder.js';

describe('the owner of a folder of services', () => {
  const dir = useFreshFolder();

  it('is one process, until it gives the folder up', () => {
    expect(acquire(dir)).to.equal(true);
    expect(acquire(dir)).to.equal(false);
    expect(ownerOf(dir)?.pid).to.equal(process.pid);
    release(dir);
    expect(ownerOf(dir)).to.equal(undefined);
    expect(acquire(dir)).to.equal(true);
    expect(readdirSync(dir)).to.deep.equal(['owner.json']);
  });

  it('is nobody when a process with its number was born at another time', () => {
    writeFileSync(join(dir, 'owner.json'), JSON.stringify({ pid: process.pid, born: 'long ago' }));
    expect(ownerOf(dir)).to.equal(undefined);
    expect(acquire(dir)).to.equal(true);
  });

  it('is nobody when the lock is damaged', () => {
    writeFileSync(join(dir, 'owner.json'), '{"pid":');
    expect(acquire(dir)).to.equal(true);
  });

  it('is nobody once its process was killed', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(other, 'spawn');
    const mark = markOf(other.pid!)!;
    writeFileSync(join(dir, 'owner.json'), JSON.stringify(mark));
    expect(acquire(dir)).to.equal(false);
    const exit = once(other, 'exit');
    await terminate(mark, 60_000);
    expect(await exit).to.deep.equal([null, 'SIGTERM']);
    expect(isAlive(mark)).to.equal(false);
    expect(acquire(dir)).to.equal(true);
  });

  it('forces a process that does not listen', async () => {
    const other = spawn(process.execPath, [
      '-e',
      "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
    ]);
    await once(other.stdout, 'data');
    const exit = once(other, 'exit');
    await terminate(markOf(other.pid!)!, 100);
    expect(await exit).to.deep.equal([null, 'SIGKILL']);
  });
});

describe('the state of a folder of services', () => {
  const dir = useFreshFolder();

  it('keeps the ports when the servers are gone', () => {
    writeState(dir, {
      ready: true,
      mysql: { url: 'mysql://x/y', port: 4001 },
      redis: { url: 'redis://x', port: 4002 },
    });
    expect(readState(dir).mysql?.port).to.equal(4001);
    clearState(dir);
    expect(readState(dir)).to.deep.equal({ ready: false });
    writeState(dir, { ready: true, mysql: { url: 'mysql://x/y', port: 4003 } });
    clearState(dir);
    expect(readPorts(dir)).to.deep.equal({ mysql: 4003, redis: 4002 });
  });

  for (const text of ['', 'null', '[]', '{"ready": 1, "mysql": {"url": 7}}']) {
    it(`reads ${JSON.stringify(text)} as nothing`, () => {
      writeFileSync(join(dir, 'services.json'), text);
      expect(readState(dir)).to.deep.equal({ ready: false });
    });
  }

  it('makes passwords once, and for the owner alone to read', () => {
    const first = passwordsOf(dir);
    expect(passwordsOf(dir)).to.deep.equal(first);
    expect(new Set(Object.values(first)), 'three, and the id of the set').to.have.property('size', 4);
    expect(statSync(join(dir, 'passwords.json')).mode & 0o777).to.equal(0o600);
  });
});
