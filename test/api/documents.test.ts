import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { seedDemo, type DemoAccess } from '../../db/seeds/demo.js';
import { bootApp, type TestApp } from '../support/app.js';
import { masked, readDocuments, readShown, withOutputs } from '../support/documents.js';
import { remoteEnvironment } from '../support/remote.js';
import { migratedScratch, type ScratchDatabase } from '../support/scratch.js';
import { testEnvironment } from '../support/settings.js';

/** Where the tour has its commands write. */
const files = '/tmp/verdict-tour';
/** Stands between the outputs of two blocks. */
const border = '\n=== next block ===\n';

/** What npm runs for `verdict`. */
const { verdict } = (
  JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: Record<'verdict', string> }
).scripts;

/** README first, whose tour makes the variables that the others use; they are the same after each of the others. */
const documents = readDocuments()
  .map((document) => ({ ...document, shown: readShown(document.text) }))
  .filter(({ shown }) => shown.length > 0);

describe('documents’ commands', function () {
  this.timeout(600_000);
  let scratch: ScratchDatabase;
  let app: TestApp;
  let folder: string;
  /** What each block of each document printed. */
  let outputs: readonly (readonly string[])[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'verdict-documents-'));
    const { DATABASE_URL = '', ENCRYPTION_KEY = '', ...others } = testEnvironment();
    scratch = await migratedScratch(DATABASE_URL);
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
    const variables = { ...others, ENCRYPTION_KEY, DATABASE_URL: scratch.url, ...signedIn(app, demo) };
    const printed = await paste(
      documents.map(({ shown }) => shown.map(({ commands }) => here(commands))),
      variables,
    );
    const blocks = printed.map((text) => text.replaceAll(folder, files));
    outputs = documents.map(({ shown }) => blocks.splice(0, shown.length));
    if (process.env['UPDATE'] === '1') {
      for (const [index, { path, text }] of documents.entries())
        writeFileSync(join(projectRoot, path), withOutputs(text, outputs[index] ?? []));
    }
  });
  after(async () => {
    await app.stop();
    await scratch.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are many, and begin with the tour', () => {
    expect(documents[0]?.path).to.equal('README.md');
    expect(documents.flatMap(({ shown }) => shown)).to.have.length.of.at.least(20);
  });

  for (const [index, { path, shown }] of documents.entries()) {
    for (const [block, { commands, output }] of shown.entries()) {
      if (output === undefined) continue;
      it(`print what ${path} shows: ${commands.trim().split('\n').at(-1)?.slice(0, 80)}`, function () {
        if (process.env['UPDATE'] === '1') this.skip();
        expect(masked(outputs[index]?.[block] ?? '')).to.equal(masked(output));
      });
    }
  }
});

/** What the command line finds in `.run/` beside a running `make run`. */
function signedIn(app: TestApp, demo: DemoAccess | undefined): Record<string, string> {
  if (demo === undefined) throw new Error('there is no demo');
  return remoteEnvironment(app, { id: demo.clientId, secret: demo.clientSecret, workspaceId: demo.workspaceId });
}

/**
 * Runs the tour's blocks one after the other in one shell, as someone who pastes them, and then those of each other
 * document in a shell of its own that has the tour's variables. The tour has npm run `verdict`, as it says; the others run
 * it straight, which takes half of the time.
 * @returns what each block printed, errors among it
 */
function paste(
  [tour = [], ...others]: readonly (readonly string[])[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const together = (blocks: readonly string[]): string =>
    blocks.map((block) => `${block}\nprintf '${border.replaceAll('\n', '\\n')}'\n`).join('');
  const script =
    together(tour) + others.map((blocks) => `(\nverdict() { ${verdict} "$@"; }\n${together(blocks)})\n`).join('');
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
