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
