import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrate } from '../../db/migrate.js';
import { projectRoot } from '../../db/root.js';
import { seedDemo } from '../../db/seeds/demo.js';
import { bootApp, type TestApp } from '../support/app.js';
import { masked, readShown, readme, readmePath, withOutputs } from '../support/readme.js';
import { scratchDatabase, type ScratchDatabase } from '../support/scratch.js';
import { testEnvironment } from '../support/settings.js';

/** Where README has its commands write. */
const files = '/tmp/verdict-tour';
/** Stands between the outputs of two blocks. */
const border = '\n=== next block ===\n';

describe('README’s commands', function () {
  this.timeout(600_000);
  const shown = readShown(readme);
  let scratch: ScratchDatabase;
  let app: TestApp;
  let folder: string;
  let outputs: readonly string[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'verdict-readme-'));
    const { DATABASE_URL = '', ENCRYPTION_KEY = '', ...others } = testEnvironment();
    scratch = await scratchDatabase(DATABASE_URL);
    await migrate(scratch.url);
    app = await bootApp({ DATABASE_URL: scratch.url });
    const demo = await seedDemo({
      databaseUrl: scratch.url,
      encryptionKey: ENCRYPTION_KEY,
      inquiryUrl: `${app.baseUrl}/inquiries`,
      keep: () => undefined,
    });
    writeFileSync(join(folder, 'env.json'), JSON.stringify({ ISSUER: app.baseUrl }));
    writeFileSync(join(folder, 'demo.json'), JSON.stringify({ demo }));
    const here = (commands: string): string => commands.replaceAll('.run/', `${folder}/`).replaceAll(files, folder);
    const variables = { ...others, ENCRYPTION_KEY, DATABASE_URL: scratch.url };
    const printed = await paste(
      shown.map(({ commands }) => here(commands)),
      variables,
    );
    outputs = printed.map((text) => text.replaceAll(folder, files));
    if (process.env['UPDATE'] === '1') writeFileSync(readmePath, withOutputs(readme, outputs));
  });
  after(async () => {
    await app.stop();
    await scratch.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are many', () => {
    expect(shown).to.have.length.of.at.least(20);
  });

  for (const [index, { commands, output }] of shown.entries()) {
    if (output === undefined) continue;
    it(`print what it shows: ${commands.trim().split('\n').at(-1)?.slice(0, 80)}`, function () {
      if (process.env['UPDATE'] === '1') this.skip();
      expect(masked(outputs[index] ?? '')).to.equal(masked(output));
    });
  }
});

/** Runs the blocks one after the other in one shell, as someone who pastes them; what each printed, errors among it. */
function paste(blocks: readonly string[], environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const script = blocks.map((block) => `${block}\nprintf '${border.replaceAll('\n', '\\n')}'\n`).join('');
  const shell = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve, reject) => {
    shell.once('error', reject);
    shell.once('close', () => resolve(printed.split(border)));
  });
}
