import { expect } from 'chai';
import { bootApp, type TestApp } from '../../support/app.js';
import { verdict } from '../../support/cliProcess.js';
import { doubling } from '../../support/models.js';
import { buildScene, documentOf, testDatabase } from '../../support/scene.js';
import { testEnvironment } from '../../support/settings.js';

/** A bar is drawn on a terminal alone, which a test has none of. */
const onTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true' };

describe('the command line: bars', () => {
  let app: TestApp;
  before(async () => void (app = await bootApp()));
  after(() => app.stop());

  for (const command of ['validate', 'test']) {
    it(`decision ${command} ends when it fails halfway`, async () => {
      const scene = await buildScene(app);
      await scene.write('a.json', doubling(2));
      // Contents are everybody's, so one that no other test has.
      const spoilt = doubling(Number(process.hrtime.bigint()));
      await scene.write('b.json', spoilt);
      await testDatabase()('contents')
        .where('hash', Buffer.from(documentOf(spoilt).hash, 'hex'))
        .update({ body: 'no JSON' });
      const { code, stderr } = await verdict(['decision', command, '--workspace', scene.workspaceId], {
        environment: { ...testEnvironment(), ...onTerminal },
      });
      expect(stderr).to.include('1/2').and.include('something unforeseen happened');
      expect(code).to.equal(1);
    });
  }
});
