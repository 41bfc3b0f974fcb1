import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { verdict } from '../../support/cliProcess.js';
import { doubling } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { buildScene, documentOf, testDatabase } from '../../support/scene.js';

/** A bar is drawn on a terminal alone, which a test has none of. */
const onTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true' };

describe('the command line: bars', () => {
  const app = useApp();

  /** What a command prints on a terminal in a workspace with two models, of which the second is stored as no JSON. */
  async function spoilt(command: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const scene = await buildScene(app);
    await scene.write('a.json', doubling(2));
    // Contents are everybody's, so one that no other test has.
    const model = doubling(Number(process.hrtime.bigint()));
    await scene.write('b.json', model);
    await testDatabase()('contents')
      .where('hash', Buffer.from(documentOf(model).hash, 'hex'))
      .update({ body: 'no JSON' });
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    return verdict(['decision', command], { environment: { ...environment, ...onTerminal } });
  }

  /** The last frame of a bar that was wiped out with its line, and what follows it. */
  const afterBar = (stderr: string): string => stderr.split('\u001b[2K').at(-1) ?? '';

  it('decision test wipes out its bar when it fails halfway', async () => {
    const { code, stdout, stderr } = await spoilt('test');
    expect(stderr).to.match(/testing .* 1\/2 /);
    expect({ code, stdout, after: afterBar(stderr) }).to.deep.equal({
      code: 1,
      stdout: '',
      after:
        'error: A test of the model was stopped: The work on the model ended without a result. (500 engine_failure)\n',
    });
  });

  it('decision validate tells a stored content that is no JSON as a fault, and goes on', async () => {
    const { code, stdout, stderr } = await spoilt('validate');
    expect(stderr).to.match(/reading .* 2\/2 /);
    expect({ code, stdout, after: afterBar(stderr) }).to.deep.equal({
      code: 1,
      stdout: 'b.json\n  The stored content is no JSON.\n  hint: Import the model again.\n\n2 models, 1 fault\n',
      after: '',
    });
  });
});
