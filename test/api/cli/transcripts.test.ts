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
import { remoteEnvironment } from '../../support/remote.js';
import { buildScene, testDatabase, testStore } from '../../support/scene.js';
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
          { environment: remoteEnvironment(app, { ...signedIn, workspaceId }), directory: folder },
          ...args.map((arg) => (arg === 'tomorrow' ? tomorrow : arg)),
        ),
      async act([verb = '', ...words], name) {
        const id = await acts[verb]?.(words);
        if (typeof id === 'string') name(words[0] ?? '', id);
      },
    });
  });

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
