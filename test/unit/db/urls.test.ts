import { expect } from 'chai';
import { ServicesError } from '../../../db/services/errors.js';
import { databaseOf, mysqlUrl, waitFor, withDatabase, withoutPassword } from '../../../db/services/urls.js';

describe('addresses of services', () => {
  it('quotes every part', () => {
    const url = mysqlUrl({ user: 'a@b', password: 'p/w:?#', port: 3307, database: 'my db' });
    expect(new URL(url).port).to.equal('3307');
    expect(decodeURIComponent(new URL(url).password)).to.equal('p/w:?#');
    expect(decodeURIComponent(new URL(url).username)).to.equal('a@b');
    expect(databaseOf(url)).to.equal('my db');
  });

  for (const url of ['', 'nonsense', 'postgres://u:p@h/db', 'mysql://u:p@h', 'mysql://u:p@h/', 'mysql://u:p@h/a/b']) {
    it(`refuses ${JSON.stringify(url)}`, () => {
      expect(() => databaseOf(url)).to.throw(ServicesError, 'DATABASE_URL must');
    });
  }

  it('keeps options and credentials when it names another database', () => {
    const url = withDatabase('mysql://u:p%2F@db.example:3307/live?ssl=true', 'live_test_1');
    expect(url).to.equal('mysql://u:p%2F@db.example:3307/live_test_1?ssl=true');
  });

  it('shows no password', () => {
    expect(withoutPassword('mysql://u:secret@h/db')).to.not.contain('secret');
    expect(withoutPassword('redis://h:6379')).to.equal('redis://h:6379');
    expect(withoutPassword('secret')).to.not.contain('secret');
    expect(withoutPassword('redis://:secret@h:1,redis://:secret@h:2')).to.equal('redis://:***@h:1,redis://:***@h:2');
  });

  it('repeats until it works, and throws the last error when told to stop', async () => {
    let calls = 0;
    const ping = (): Promise<void> => {
      calls += 1;
      return calls < 3 ? Promise.reject(new Error(`no ${calls}`)) : Promise.resolve();
    };
    await waitFor(ping, 60_000);
    expect(calls).to.equal(3);
    calls = 0;
    const error: unknown = await waitFor(ping, 60_000, () => true).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('message', 'no 1');
  });
});
