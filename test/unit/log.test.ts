import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import type { Logger } from 'pino';
import { createLog } from '../../src/log.js';

describe('createLog', () => {
  let logged: string;
  let log: Logger;
  beforeEach(() => {
    logged = '';
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged += chunk.toString();
        done();
      },
    });
    log = createLog('info', destination);
  });

  it('leaves out the statement of a MySQL error, which holds the values', () => {
    const error = Object.assign(new Error('insert into t values (?)'), { errno: 1054, sql: "insert … ('hunter2')" });
    log.error({ err: error }, 'request');
    expect(logged).to.include('insert into t values (?)').and.include('"errno":1054').and.not.include('hunter2');
  });

  it('a quiet server’s lines into a pipe do not wait for a block to fill', async () => {
    const file = new URL('../../src/log.js', import.meta.url).href;
    const program = `import { createLog } from '${file}'; createLog('info').info('one line'); setInterval(() => {}, 60_000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
      expect(chunk.toString()).to.include('"msg":"one line"');
    } finally {
      child.kill();
    }
  });

  it('leaves out what else errors carry along, causes and lists of errors among them', () => {
    const refused = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['hunter2'] } });
    const failed = Object.assign(new Error('fetch failed', { cause: refused }), {
      request: { headers: { authorization: 'Bearer hunter2' } },
    });
    log.error({ err: failed }, 'one');
    log.error({ err: new AggregateError([refused, failed], 'all failed') }, 'several');
    expect(logged).to.include('WRONGPASS').and.include('all failed').and.not.include('hunter2');
  });
});
