import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { messageOf } from '../../../db/services/errors.js';

const refused = (address: string): Error => new Error(`connect ECONNREFUSED ${address}`);

describe('the message of an error', () => {
  it('is, of several addresses that failed, what each said', () => {
    const both = Object.assign(new AggregateError([refused('::1:3306'), refused('127.0.0.1:3306')]), {
      code: 'ECONNREFUSED',
    });
    expect(messageOf(both)).to.equal('connect ECONNREFUSED ::1:3306; connect ECONNREFUSED 127.0.0.1:3306');
    expect(messageOf(new AggregateError([refused('a')], 'all failed'))).to.equal('all failed');
    expect(messageOf(Object.assign(new Error(''), { code: 'ETIMEDOUT' }))).to.equal('ETIMEDOUT');
    expect(messageOf('text')).to.equal('text');
  });
});

describe('make migrate', () => {
  const migrating = (databaseUrl: string): string => {
    const { status, stderr } = spawnSync(process.execPath, [join(projectRoot, 'dist', 'db', 'migrate-main.js')], {
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    return stderr;
  };

  for (const databaseUrl of ['', 'oops', 'postgres://u@localhost/x', 'mysql://u@localhost']) {
    it(`names the variable that is wrong: DATABASE_URL=${databaseUrl}`, () => {
      expect(migrating(databaseUrl)).to.match(/^DATABASE_URL must .+\n$/);
    });
  }

  it('says what failed where nothing answers at any of a name’s addresses', () => {
    expect(migrating('mysql://u:s3cret@localhost:1/x')).to.contain('ECONNREFUSED').and.to.not.contain('s3cret');
  });
});
