import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { listAuditEntries, listTenantEntries } from '../../../src/audit/audit.store.js';
import { useApp } from '../../support/app.js';
import { verdict, verdictIn } from '../../support/cli.js';
import { checked, protect } from '../../support/changes.js';
import { eventually } from '../../support/eventually.js';
import { buildClient } from '../../support/factories.js';
import { useFolder } from '../../support/folder.js';
import { doubling } from '../../support/models.js';
import { call } from '../../support/http.js';
import { usedOperations } from '../../support/commands.js';
import { record, type RecordedRequest } from '../../support/recordingProxy.js';
import { remoteEnvironment } from '../../support/remote.js';
import { buildScene, testDatabase, testStore } from '../../support/scene.js';
import { basic } from '../../support/tokens.js';
import { replayTranscript, type TranscriptSteps } from '../../support/transcript.js';

const goldens = join(projectRoot, 'test', 'golden', 'cli');

/** Runs a transcript again; `UPDATE=1` writes what came of it. */
async function requireTranscript(
  name: string,
  known: Readonly<Record<string, string>>,
  steps: TranscriptSteps,
): Promise<void> {
  const path = join(goldens, name);
  const text = await readFile(path, 'utf8');
  const now = await replayTranscript(text, known, steps);
  if (process.env['UPDATE'] === '1') await writeFile(path, now);
  else expect(now).to.equal(text);
}

describe('what commands print, and how they end (UPDATE=1 writes the transcripts)', () => {
  const app = useApp();
  const folder = useFolder();
  /** What the commands of authors.txt and those behind it ask of the service. */
  const asked: RecordedRequest[] = [];
  let recorder: Server;
  before(async () => {
    recorder = await record(app, asked);
  });
  after(() => recorder.close());
  const recorded = () => ({ baseUrl: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}` });

  it('by HTTP is as test/golden/cli/authors.txt has it', async () => {
    const scene = await buildScene(app);
    const { client, caller, tenantId, workspaceId } = scene;
    const approver = await buildClient(testStore(), { tenantId, workspaces: [workspaceId] });
    let signedIn: { readonly id: string; readonly secret: string } = client;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

    const acts: Readonly<Record<string, (words: readonly string[]) => Promise<string | undefined>>> = {
      async write([file = '', factor = '']) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), factor === 'text' ? 'text' : JSON.stringify(doubling(Number(factor))));
        return undefined;
      },
      async execute([, environmentId = '', key = '', x]) {
        const { body } = await caller.get(`/logic/decisions?key=${key}`);
        const [decision] = (body as { data: { id: string }[] }).data;
        const path = `/logic/${environmentId}/decisions/${decision?.id ?? ''}/executions`;
        const headers = { 'Execution-Reference': 'ref-1', 'X-Request-Id': workspaceId };
        const answer = await caller.post(path, { fact: { x: Number(x) } }, headers);
        return (answer.body as { id: string }).id;
      },
      async protect([environmentId = '']) {
        await protect(caller, environmentId);
        return undefined;
      },
      async checked([id = '']) {
        await checked(caller, { id });
        return undefined;
      },
      as([id]) {
        signedIn = id === approver.id ? approver : client;
        return Promise.resolve(undefined);
      },
      async replayed([id = '']) {
        await eventually(async () => {
          const { body } = await caller.get(`/logic/replays/${id}`);
          return (body as { status: string }).status === 'COMPLETED';
        });
        return undefined;
      },
    };
    const known = { TENANT: tenantId, WORKSPACE: workspaceId, CLIENT: client.id, APPROVER: approver.id };
    await requireTranscript('authors.txt', known, {
      run: (args) =>
        verdictIn(
          { environment: remoteEnvironment(recorded(), { ...signedIn, workspaceId }), directory: folder },
          ...args.map((arg) => (arg === 'tomorrow' ? tomorrow : arg)),
        ),
      async act([verb = '', ...words], name) {
        const id = await acts[verb]?.(words);
        if (typeof id === 'string') name(words[0] ?? '', id);
      },
    });
  });

  it('asks for every operation that its sources name', async () => {
    await untold();
    const { paths } = (await call(`${app.baseUrl}/openapi.json`)).body as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const found = new Set(
      asked.map(({ method, path }) => {
        const templates = Object.keys(paths).sort((one, other) => one.split('{').length - other.split('{').length);
        const patternOf = (template: string): RegExp =>
          new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
        const template = templates.find((each) => patternOf(each).test(path)) ?? '';
        return paths[template]?.[method.toLowerCase()]?.operationId ?? '';
      }),
    );
    // A replay as small as that of the transcript is over before it can be cancelled.
    expect([...usedOperations()].filter((name) => !found.has(name))).to.deep.equal(['deleteReplay']);
  });

  /** Commands of which no transcript tells: what they print is tested with what they do. */
  async function untold(): Promise<void> {
    const scene = await buildScene(app);
    const { client, workspaceId } = scene;
    const environment = remoteEnvironment(recorded(), { ...client, workspaceId });
    const run = async (line: string, ...more: string[]): Promise<string> => {
      const ran = await verdictIn({ directory: folder, environment }, ...line.split(' '), ...more, '--json');
      expect(ran.exit, `${line}: ${ran.stderr}`).to.equal(0);
      return (ran.json as { id: string }).id;
    };
    const { environmentId } = await scene.deployed('double.json', doubling(2));
    const made = await run(`execution run double.json --environment ${environmentId} --fact`, '{"x":1}');
    await eventually(async () => {
      const exported = ['evidence', 'export', made, '-o', 'case.evidence'];
      return (await verdictIn({ directory: folder, environment }, ...exported)).exit === 0;
    });
    const { checkpoint } = JSON.parse(await readFile(join(folder, 'case.evidence'), 'utf8')) as { checkpoint: string };
    await writeFile(join(folder, 'head.txt'), checkpoint);
    await run(`evidence export ${made} -o case.evidence --checkpoint head.txt`);
    await run('evidence findings');
    await run(`erasure show ${await run('erasure create --reference nobody')}`);
    await run('erasure list');
    const asking = await run('inquiry create --person p --prerequisite CONSENT=https://consent.example/1');
    const { body } = await call(`${app.baseUrl}/fuse/v2/inquiries/${asking}`, {
      headers: { Authorization: basic(client.id, client.secret) },
    });
    const [prerequisite] = (body as { prerequisites: { id: string }[] }).prerequisites;
    await run(`inquiry complete ${asking} --prerequisite ${prerequisite?.id}`);
    await writeFile(join(folder, 'plain.csv'), 'x,y\n1,2\n');
    await run(`batch run plain.csv --environment ${environmentId} --decision double.json`);
    await run('table create plain.csv --key made.json --inputs x --outputs y');
    for (const type of ['xlsx', 'csv']) {
      await run(`table export made.json Rules --output rules.${type}`);
      await run(`table import made.json Rules rules.${type} --dry-run`);
      await run(`tests export made.json --output tests.${type}`);
      await run(`tests import made.json tests.${type} --dry-run`);
    }
  }

  it('on the database, with the audit entries of it, is as test/golden/cli/operators.txt has it', async () => {
    let entries: string[] = [];
    await requireTranscript(
      'operators.txt',
      {},
      {
        run: (args) => (args[0] === 'entries' ? Promise.resolve(printed(entries)) : verdict(...args)),
        async act([, tenantId = '', workspaceId = '']) {
          const all = await listTenantEntries(testDatabase(), {}, { size: 5000 });
          const whole = { size: 5000, after: null, before: null, order: 'asc' } as const;
          const { data } = await listAuditEntries(testDatabase(), workspaceId, {}, whole);
          entries = [
            ...all
              .filter((entry) => entry.tenantId === tenantId)
              .reverse()
              .map((entry) => JSON.stringify(entry)),
            ...data.map(({ text }) => text),
          ];
        },
      },
    );
  });
});

/** As if a command had printed these lines. */
const printed = (lines: readonly string[]) => ({ exit: 0, stdout: lines.join('\n'), stderr: '', json: undefined });
