import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isSignedBy, parseCheckpoint } from '../../src/evidence/checkpoint.js';
import { isConsistent, rootOfPath } from '../../src/evidence/paths.js';
import { leafHash } from '../../src/evidence/tree.js';
import { idToBytes } from '../../src/storage/ids.js';
import { bootApp, useOwnApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { idAgo } from '../support/evidence.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { expressing } from '../support/models.js';
import { buildScene, testDatabase, useFreshScene, type Scene } from '../support/scene.js';
import { testConfig } from '../support/settings.js';
import { noteKey, openNote, readHead, rootFrom } from '../support/signedNote.js';

interface Proof {
  readonly record: string;
  readonly salt: string;
  readonly index: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
  readonly model: readonly { readonly key: string; readonly contentHash: string; readonly content: string }[];
}

const decode = (hashes: readonly string[]): Buffer[] => hashes.map((hash) => Buffer.from(hash, 'base64'));

async function proofOf({ caller }: Scene, id: string): Promise<Proof> {
  const { body } = await eventually(async () => {
    const answer = await caller.get(`/logic/executions/${id}/proof`);
    return answer.status === 409 ? undefined : answer;
  });
  return body as Proof;
}

async function execute(scene: Scene, environmentId: string, decisionId: string, fact: string): Promise<string> {
  const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
  const answer = await scene.caller.post(path, `{"fact":${fact}}`, { 'Content-Type': 'application/json' });
  expect(answer.status, answer.text).to.equal(201);
  return (answer.body as { id: string }).id;
}

describe('evidence', function () {
  const app = useOwnApp();
  const scene = useFreshScene(app);
  let environmentId: string;
  let decisionId: string;
  beforeEach(async () => {
    environmentId = await scene.environment();
    await scene.variable(environmentId, 'RATE', 2);
    await scene.variable(environmentId, 'KEY', 'sesame', true);
    ({ decisionId } = await scene.deployed('d.json', expressing({ y: 'x * $env.RATE', z: 'x' }), environmentId));
  });

  it('proves an execution, with every digit of it, by its head and the key that is published', async () => {
    const id = await execute(scene, environmentId, decisionId, '{"x":1.10000000000000000000000000000000000001}');
    const proof = await proofOf(scene, id);
    expect(Object.keys(proof)).to.deep.equal(['record', 'salt', 'index', 'path', 'checkpoint', 'model']);
    const head = parseCheckpoint(proof.checkpoint);
    const leaf = leafHash(Buffer.from(proof.salt, 'base64'), proof.record);
    expect(rootOfPath(leaf, proof.index, head.size, decode(proof.path))).to.deep.equal(head.root);
    const published = await call(`${app.baseUrl}/.well-known/verdict-evidence.json`);
    expect(published.headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=15',
    });
    const { keys } = published.body as { keys: { publicKey: string }[] };
    expect(isSignedBy(head, Buffer.from(keys[0]!.publicKey, 'base64'))).to.equal(true);

    const history = (await scene.caller.get(`/logic/executions/${id}`)).text;
    expect(proof.record.startsWith(`{"record":1,"execution":${history},"context":`)).to.equal(true);
    expect(proof.record).to.include('"fact":{"x":1.10000000000000000000000000000000000001}');
    expect(proof.record).to.not.include('sesame');
    const record = JSON.parse(proof.record) as Record<'context' | 'program' | 'configuration', Record<string, unknown>>;
    const { digest, ...shown } = record.configuration;
    expect(shown).to.deep.include({ variables: { RATE: 2 }, secrets: ['KEY'] });
    expect(digest).to.equal(createHash('sha256').update(JSON.stringify(shown)).digest('hex'));
    const program = JSON.stringify(record.program);
    expect(createHash('sha256').update(program).digest('hex')).to.equal(record.context['programId']);
    const [model] = proof.model;
    expect(proof.model.map(({ key }) => key)).to.deep.equal(['d.json']);
    expect(createHash('sha256').update(model!.content).digest('hex')).to.equal(model!.contentHash);
    expect(record.program).to.deep.equal({ entries: [{ content: model!.contentHash, links: {} }] });
  });

  it('is read by whoever knows the published formats alone', async () => {
    const ids = [];
    for (let number = 0; number < 5; number++)
      ids.push(await execute(scene, environmentId, decisionId, `{"x":${number}}`));
    const published = await call(`${app.baseUrl}/.well-known/verdict-evidence.json`);
    const [newest] = (published.body as { keys: { publicKey: string }[] }).keys;
    const publicKey = Buffer.from(newest!.publicKey, 'base64');
    for (const id of ids) {
      const proof = await proofOf(scene, id);
      const name = `${new URL(testConfig().issuer).host}/evidence/${scene.workspaceId}`;
      const head = readHead(openNote(Buffer.from(proof.checkpoint), noteKey(name, publicKey)));
      expect(head.origin).to.equal(name);
      const entry = Buffer.concat([Buffer.from(proof.salt, 'base64'), Buffer.from(proof.record)]);
      const place = { index: BigInt(proof.index), size: head.size, path: decode(proof.path) };
      expect(rootFrom(entry, place)).to.deep.equal(head.root);
      entry[40]! ^= 1;
      expect(rootFrom(entry, place)).to.not.deep.equal(head.root);
      expect(() =>
        openNote(Buffer.from(proof.checkpoint.replace('/evidence/', '/Evidence/')), noteKey(name, publicKey)),
      ).to.throw();
    }
  });

  it('shows that a tree began as each one before it, and refuses a size that it never had', async () => {
    const heads = [];
    for (let number = 0; number < 4; number++) {
      const id = await execute(scene, environmentId, decisionId, `{"x":${number}}`);
      heads.push(parseCheckpoint((await proofOf(scene, id)).checkpoint));
    }
    for (const earlier of heads) {
      const answer = await scene.caller.get(`/logic/evidence/consistency?from=${earlier.size}`);
      const { from, path, checkpoint } = answer.body as { from: number; path: string[]; checkpoint: string };
      expect(from).to.equal(earlier.size);
      expect(isConsistent(earlier, parseCheckpoint(checkpoint), decode(path))).to.equal(true);
    }
    const { checkpoint } = (await scene.caller.get('/logic/evidence/checkpoint')).body as { checkpoint: string };
    const { size } = parseCheckpoint(checkpoint);
    expectProblem(await scene.caller.get(`/logic/evidence/consistency?from=${size + 1000}`), 'validation_failed', {
      instance: '/logic/evidence/consistency',
      errors: [{ in: 'query', pointer: 'from', message: `must be at most the size of the tree, ${size}` }],
    });
    expect((await scene.caller.get('/logic/evidence/consistency?from=0')).body).to.deep.include({ from: 0, path: [] });
  });

  it('refuses to prove a record that was altered, shows it with a mark, and never calls its explanation exact', async () => {
    const changes: Record<string, object> = {
      fact: { fact: '{"x":5}' },
      result: { result: '{"y":4, "z":2}' },
      principal: { principal: 'client:somebody' },
      reference: { reference: 'another' },
      time: { created_at: new Date(0) },
    };
    for (const [what, change] of Object.entries(changes)) {
      const id = await execute(scene, environmentId, decisionId, '{"x":2}');
      await proofOf(scene, id);
      const explained = async (): Promise<unknown> =>
        (await scene.caller.get(`/logic/executions/${id}/explanation`)).body;
      expect(await explained(), what).to.include({ exact: true });
      const shown = await scene.caller.get(`/logic/executions/${id}`);
      expect(shown.body, what).to.not.have.property('altered');
      await testDatabase()('executions')
        .where({ id: idToBytes(id) })
        .update(change);
      const again = await scene.caller.get(`/logic/executions/${id}`, { 'If-None-Match': shown.headers.etag! });
      expect([again.status, (again.body as { altered?: boolean }).altered], what).to.deep.equal([200, true]);
      const none = { exact: false, reasons: ['altered'], result: null, trace: null };
      expect(await explained(), what).to.deep.equal({ executionId: id, ...none });
      expectProblem(await scene.caller.get(`/logic/executions/${id}/proof`), 'record_altered', {
        instance: `/logic/executions/${id}/proof`,
      });
    }
  });

  it('never calls the explanation of a record exact that was added, or that took the place of another', async () => {
    const id = await execute(scene, environmentId, decisionId, '{"x":2}');
    const other = await execute(scene, environmentId, decisionId, '{"x":3}');
    await Promise.all([proofOf(scene, id), proofOf(scene, other)]);
    const database = testDatabase();
    const explained = async (one: string): Promise<unknown> =>
      ((await scene.caller.get(`/logic/executions/${one}/explanation`)).body as { reasons: unknown }).reasons;
    // One that says it was made an hour ago gets its leaf now.
    const added = idAgo(3_600_000);
    const [row] = (await database('executions').where({ id: idToBytes(id) })) as Record<string, unknown>[];
    await database('executions').insert({ ...row, id: idToBytes(added) });
    await proofOf(scene, added);
    expect(await explained(added)).to.deep.equal(['altered']);
    await database('executions')
      .where({ id: idToBytes(id) })
      .delete();
    await database('executions')
      .where({ id: idToBytes(other) })
      .update({ id: idToBytes(id) });
    expect(await explained(id)).to.deep.equal(['altered']);
  });

  it('tells where there is nothing to prove', async () => {
    const id = idAgo(0);
    expectProblem(await scene.caller.get(`/logic/executions/${id}/proof`), 'execution_not_found', {
      instance: `/logic/executions/${id}/proof`,
    });
    const done = await execute(scene, environmentId, decisionId, '{"x":1}');
    await proofOf(scene, done);
    await testDatabase()('evidence_leaves')
      .where({ subject_id: idToBytes(done) })
      .update({ salt: null });
    expectProblem(await scene.caller.get(`/logic/executions/${done}/proof`), 'record_erased', {
      instance: `/logic/executions/${done}/proof`,
    });
  });
});

describe('a witness of evidence', () => {
  it('that is a folder gets heads as files, which are never written again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'verdict-witness-'));
    const app = await bootApp({ EVIDENCE_WITNESS: folder });
    try {
      const scene = await buildScene(app);
      await scene.environment();
      const own = join(folder, scene.workspaceId);
      const [name] = await eventually(async () => {
        const names = (await readdir(own).catch(() => [])).filter((one) => one.endsWith('.txt'));
        return names.length > 0 ? names : undefined;
      });
      const head = parseCheckpoint(await readFile(join(own, name!), 'utf8'));
      expect(name).to.equal(`${String(head.size).padStart(16, '0')}.txt`);
      const answer = await scene.caller.get(`/logic/evidence/consistency?from=${head.size}`);
      const { path, checkpoint } = answer.body as { path: string[]; checkpoint: string };
      expect(isConsistent(head, parseCheckpoint(checkpoint), decode(path))).to.equal(true);
    } finally {
      await app.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('that is a URL gets heads as text, again where it refused them', async () => {
    const received: {
      readonly workspace: unknown;
      readonly size: unknown;
      readonly type: unknown;
      readonly text: string;
    }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { headers } = request;
        const [workspace, size, type] = [headers['x-workspace-id'], headers['x-tree-size'], headers['content-type']];
        const isFirst = !received.some((one) => one.workspace === workspace);
        received.push({ workspace, size, type, text });
        response.writeHead(isFirst ? 503 : 204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const app = await bootApp({ EVIDENCE_WITNESS: `http://127.0.0.1:${(server.address() as AddressInfo).port}/heads` });
    try {
      const scene = await buildScene(app);
      const own = await eventually(() => {
        const mine = received.filter(({ workspace }) => workspace === scene.workspaceId);
        return mine.length >= 2 ? mine : undefined;
      });
      for (const { size, type, text } of own) {
        expect(type).to.equal('text/plain; charset=utf-8');
        expect(String(parseCheckpoint(text).size)).to.equal(size);
      }
      const witnessed = async (): Promise<number> => {
        const [row] = (await testDatabase()('evidence_trees')
          .select('witnessed')
          .where('workspace_id', idToBytes(scene.workspaceId))) as { witnessed: number }[];
        return Number(row?.witnessed);
      };
      await eventually(async () => (await witnessed()) === parseCheckpoint(own[1]!.text).size);
    } finally {
      await app.stop();
      server.closeAllConnections();
      server.close();
    }
  });
});
