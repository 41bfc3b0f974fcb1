import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { demoKeyOf, keepDemo, keptDemo, presentDemo } from '../../../db/demoFile.js';
import type { DemoAccess } from '../../../db/seeds/demo.js';
import { useFreshFolder } from '../../support/folder.js';

const demoOf = (clientId: string): DemoAccess => ({
  ...{ clientId, clientSecret: 's', workspaceId: 'w', environmentId: 'e', decisionId: 'd', fact: {}, inquiryId: 'i' },
});

describe('the demos that make run knows', () => {
  const dir = useFreshFolder();
  const file = (): Record<string, unknown> =>
    JSON.parse(readFileSync(join(dir, 'demo.json'), 'utf8')) as Record<string, unknown>;

  it('are one for each database: the host and the port tell them apart, the password does not', () => {
    expect(demoKeyOf('mysql://u:p@one/verdict')).to.equal(demoKeyOf('mysql://u:other@one:3306/verdict'));
    const keys = [
      undefined,
      'mysql://verdict:p@127.0.0.1/verdict',
      'mysql://verdict:p@127.0.0.1:3307/verdict',
      'mysql://verdict:p@staging/verdict',
      'mysql://verdict:p@staging/other',
    ].map(demoKeyOf);
    for (const [index, key] of keys.entries()) keepDemo(dir, key, demoOf(`client ${index}`));
    expect(keys.map((key) => keptDemo(dir, key)?.clientId)).to.deep.equal(keys.map((_, index) => `client ${index}`));
    expect(keptDemo(dir, demoKeyOf('mysql://u:p@elsewhere/verdict'))).to.equal(undefined);
    expect(statSync(join(dir, 'demo.json')).mode & 0o777).to.equal(0o600);
  });

  it('stand where README reads the present one, as long as its database is in use', () => {
    keepDemo(dir, 'one', demoOf('first'));
    presentDemo(dir, 'one');
    keepDemo(dir, 'two', demoOf('second'));
    expect(file(), 'a run beside it').to.have.nested.property('demo.clientId', 'first');
    presentDemo(dir, 'two');
    expect(file()).to.have.nested.property('demo.clientId', 'second');
    presentDemo(dir, 'three');
    expect(file(), 'a database without one').to.not.have.property('demo');
    presentDemo(dir, 'one');
    expect(file()).to.have.nested.property('demo.clientId', 'first');
  });
});
