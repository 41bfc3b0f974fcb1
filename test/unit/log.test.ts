import { Writable } from 'node:stream';
import { expect } from 'chai';
import { createLog } from '../../src/log.js';

describe('createLog', () => {
  it('leaves out the statement of a MySQL error, which holds the values', () => {
    let logged = '';
    const log = createLog(
      'info',
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          logged += chunk.toString();
          done();
        },
      }),
    );
    const error = Object.assign(new Error('insert into t values (?)'), { errno: 1054, sql: "insert … ('hunter2')" });
    log.error({ err: error }, 'request');
    expect(logged).to.include('insert into t values (?)').and.include('"errno":1054').and.not.include('hunter2');
  });
});
