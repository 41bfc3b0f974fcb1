import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { seedDemo, type DemoAccess } from '../../db/seeds/demo.js';
import { bootApp, type TestApp } from '../support/app.js';
import { masked, readDocuments, readShown, unrun, withOutputs } from '../support/documents.js';
import { needs } from '../support/environment.js';
import { installedBelow, remoteEnvironment, withoutProfile } from '../support/remote.js';
import { hasPython, runSamples } from '../support/samples.js';
import { migratedScratch, type ScratchDatabase } from '../support/scratch.js';
import { testEnvironment } from '../support/settings.js';

/** Where the tour has its commands write. */
const files = '/tmp/verdict-tour';
/** What readers of /docs put their own values for. */
const placeholders = {
  url: 'https://verdict.example',
  client: '0190c2b4-0000-7000-8000-000000000000',
  secret: /(?<=VERDICT_CLIENT_SECRET=)secret/,
};

/** What npm runs for `verdict`. */
const { verdict } = (
  JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: Record<'verdict', string> }
).scripts;

interface World {
  readonly app: TestApp;
  readonly scratch: ScratchDatabase;
  readonly demo: DemoAccess;
  readonly folder: string;
}

const guides = 'src/api/docs/';
const start = `${guides}start.md`;
const all = readDocuments().map((document) => ({ ...document, shown: readShown(document.text) }));
const shown = all.filter((document) => document.shown.length > 0);
type Sampled = (typeof shown)[number];

/** The document comes first whose samples make the variables of the others. */
const after = (first: string, of: (path: string) => boolean): Sampled[] => [
  ...shown.filter(({ path }) => path === first),
  ...shown.filter(({ path }) => path !== first && of(path)),
];

describe('samples of documents', function () {
  this.timeout(600_000);

  describe('of a checkout', () => {
    /** Its servers are stopped and restored meanwhile: test/faults/recovery.test.ts pastes it. */
    const apart = 'deploy/recovery.md';
    const documents = after('README.md', (path) => !path.startsWith(guides) && path !== apart);

    it('are many, and begin with the tour', () => {
      expect(documents[0]?.path).to.equal('README.md');
      expect(documents.flatMap((document) => document.shown)).to.have.length.of.at.least(10);
    });

    /** The tour has npm run `verdict`, as it says; the others run it straight and without maps of sources, which takes half of the time. */
    expectOutputs(documents, async ({ app, scratch, demo, folder }) => {
      writeFileSync(join(folder, 'env.json'), JSON.stringify({ ISSUER: app.baseUrl }));
      writeFileSync(join(folder, 'demo.json'), JSON.stringify({ demo }));
      const here = (code: string): string => code.replaceAll('.run/', `${folder}/`).replaceAll(files, folder);
      const outputs = await runSamples(
        documents.map((document) => document.shown.map((sample) => ({ ...sample, code: here(sample.code) }))),
        {
          directory: projectRoot,
          environment: {
            ...testEnvironment(),
            DATABASE_URL: scratch.url,
            ...remoteEnvironment(app, { id: demo.clientId, secret: demo.clientSecret, workspaceId: demo.workspaceId }),
          },
          prelude: `verdict() { ${verdict.replace('--enable-source-maps ', '')} "$@"; }`,
        },
      );
      return outputs.map((printed) => printed.map((text) => text.replaceAll(folder, files)));
    });
  });

  describe('at /docs, by who has an address, a client and its secret, and nothing of a checkout,', () => {
    const documents = after(start, (path) => path.startsWith(guides));

    it('are many, begin with Start, and none is left out', () => {
      expect(documents[0]?.path).to.equal(start);
      expect(documents.flatMap((document) => document.shown)).to.have.length.of.at.least(40);
      const languages = new Set(documents[0]?.shown.map(({ language }) => language));
      expect([...languages]).to.have.members(['sh', 'ts', 'python']);
      const left = all.filter(({ path }) => path.startsWith(guides)).flatMap(({ text }) => unrun(text));
      expect(left).to.deep.equal([]);
    });

    it('in JSON are JSON', () => {
      for (const { path, text } of all.filter((document) => document.path.startsWith(guides)))
        for (const [, json = ''] of text.matchAll(/```json\n([^]*?)```/g))
          expect(() => void JSON.parse(json), path).not.to.throw();
    });

    expectOutputs(documents, async ({ app, demo, folder }) => {
      const own = (code: string): string =>
        code
          .replaceAll(placeholders.url, app.baseUrl)
          .replaceAll(placeholders.client, demo.clientId)
          .replace(placeholders.secret, () => demo.clientSecret);
      const directory = join(folder, 'work');
      mkdirSync(directory);
      return runSamples(
        documents.map((document) => document.shown.map((sample) => ({ ...sample, code: own(sample.code) }))),
        { directory, environment: { ...installedBelow(folder), ...withoutProfile } },
      );
    });
  });
});

/** Runs the documents in a world of their own, and holds each sample against what its document shows. */
function expectOutputs(documents: readonly Sampled[], run: (world: World) => Promise<string[][]>): void {
  const update = process.env['UPDATE'] === '1';
  let outputs: readonly (readonly string[])[];

  before(async () => {
    const world = await makeWorld();
    try {
      outputs = await run(world);
    } finally {
      await world.app.stop();
      await world.scratch.drop();
      rmSync(world.folder, { recursive: true, force: true });
    }
    if (!update) return;
    for (const [index, { path, text }] of documents.entries())
      writeFileSync(join(projectRoot, path), withOutputs(text, outputs[index] ?? []));
  });

  for (const [index, document] of documents.entries()) {
    for (const [sample, { language, code, output = '' }] of document.shown.entries()) {
      const title = `${language} sample ${sample + 1}: ${code.trim().split('\n').at(-1)?.slice(0, 80) ?? ''}`;
      it(`print what ${document.path} shows, ${title}`, function () {
        if (language === 'python') needs(this, 'python3', hasPython);
        const printed = outputs[index]?.[sample] ?? '';
        if (!update || document.shown[sample]?.output === undefined) expect(masked(printed)).to.equal(masked(output));
      });
    }
  }
}

async function makeWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'verdict-documents-'));
  const { DATABASE_URL = '', ENCRYPTION_KEY = '' } = testEnvironment();
  const scratch = await migratedScratch(DATABASE_URL);
  const app = await bootApp({ DATABASE_URL: scratch.url });
  const demo = await seedDemo({
    databaseUrl: scratch.url,
    encryptionKey: ENCRYPTION_KEY,
    inquiryUrl: `${app.baseUrl}/inquiries`,
    keep: () => undefined,
  });
  if (demo === undefined) throw new Error('there is no demo');
  return { app, scratch, demo, folder };
}
