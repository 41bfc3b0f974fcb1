import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { evidenceText } from '../../../src/evidence/evidenceFile.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { useApp } from '../../support/app.js';
import { verdictIn, type CommandResult } from '../../support/cli.js';
import { verdict as verdictAlone } from '../../support/cliProcess.js';
import { isLong } from '../../support/environment.js';
import { eventually } from '../../support/eventually.js';
import { useFolder } from '../../support/folder.js';
import { makeDue } from '../../support/jobs.js';
import { calling, expressing, scripting } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { testDatabase, useScene } from '../../support/scene.js';

interface File {
  record: string;
  readonly checkpoint: string;
  readonly keys: readonly object[];
  readonly consistency?: { readonly from: number };
}

describe('verdict evidence', () => {
  const app = useApp();
  const scene = useScene(app);
  const folder = useFolder();
  let environmentId: string;

  before(async () => {
    environmentId = await scene.environment();
    await scene.variable(environmentId, 'RATE', 2.5);
  });

  const at = (name: string): string => join(folder, name);
  const verdict = (...args: string[]): Promise<CommandResult> =>
    verdictIn(
      { environment: remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId }), directory: folder },
      ...args,
    );
  /** Without anything that leads to a server or a database. */
  const verify = (...args: string[]): Promise<CommandResult> =>
    verdictIn({ environment: {}, directory: folder }, 'evidence', 'verify', ...args, '--json');
  const fileOf = async (name: string): Promise<File> => JSON.parse(await readFile(at(name), 'utf8')) as File;

  async function deployed(key: string, model: Parameters<typeof scene.decision>[1]): Promise<string> {
    const { decisionId } = await scene.deployed(key, model, environmentId);
    return decisionId;
  }

  async function execute(decisionId: string, fact: string): Promise<string> {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const answer = await scene.caller.post(path, `{"fact":${fact}}`, { 'Content-Type': 'application/json' });
    expect(answer.status, answer.text).to.equal(201);
    const { id } = answer.body as { id: string };
    await eventually(async () => (await scene.caller.get(`/logic/executions/${id}/proof`)).status === 200);
    return id;
  }

  async function exported(id: string, name: string, ...more: string[]): Promise<void> {
    const ran = await verdict('evidence', 'export', id, '-o', name, ...more, '--json');
    expect(ran.exit, ran.stderr).to.equal(0);
    expect(ran.json).to.deep.equal({ executionId: id, file: name });
  }

  it('exports what verifies in a process without server, database and settings, and runs the decision again', async () => {
    const models = {
      'plain.json': expressing({ y: 'x * $env.RATE', exact: 'x' }),
      'random.json': scripting('export const handler = () => ({ at: Date.now(), random: Math.random() });'),
      'failing.json': expressing({ y: 'x + {}' }),
      'outer.json': calling('plain.json'),
    };
    for (const [key, model] of Object.entries(models)) {
      const id = await execute(await deployed(key, model), '{"x":1.000000000000000000000000000000010}');
      await exported(id, `${key}.evidence`);
      const { model: reached } = JSON.parse(await readFile(at(`${key}.evidence`), 'utf8')) as {
        model: { key: string }[];
      };
      expect(reached.map((each) => each.key)).to.have.members(key === 'outer.json' ? [key, 'plain.json'] : [key]);
      const alone = await verdictAlone(['evidence', 'verify', at(`${key}.evidence`), '--json'], {
        environment: {},
        directory: folder,
      });
      expect(alone.code, alone.stderr).to.equal(0);
      expect(JSON.parse(alone.stdout)).to.include({ verified: true, executionId: id, keyGiven: false });
      expect(alone.stderr).to.equal(
        'The key came from the file itself: name one that you got from elsewhere by --key.\n',
      );
    }
  });

  it('verifies against keys and a head from elsewhere, and refuses those that do not fit', async () => {
    const decisionId = await deployed('held.json', expressing({ y: 'x' }));
    const first = await execute(decisionId, '{"x":1}');
    await exported(first, 'first.json');
    const { checkpoint } = await fileOf('first.json');
    await writeFile(at('head.txt'), checkpoint);
    const answered = JSON.stringify((await scene.caller.get('/logic/evidence/checkpoint')).body);
    const id = await execute(decisionId, '{"x":2}');
    await exported(id, 'second.json', '--checkpoint', 'head.txt');
    await writeFile(at('keys.json'), await (await fetch(`${app.baseUrl}/.well-known/verdict-evidence.json`)).text());
    const ran = await verify('second.json', '--key', 'keys.json', '--checkpoint', 'head.txt');
    expect(ran.exit, ran.stderr).to.equal(0);
    expect(ran.json).to.include({ verified: true, executionId: id, keyGiven: true });

    // As another system, an editor or a shell leaves the file, or the API answers.
    const kept = [checkpoint.trimEnd(), checkpoint.replaceAll('\n', '\r\n'), `\uFEFF${checkpoint}\n`, answered];
    for (const [number, text] of kept.entries()) {
      await writeFile(at(`kept${number}.txt`), text);
      await exported(id, 'kept.json', '--checkpoint', `kept${number}.txt`);
      const again = await verify('kept.json', '--key', 'keys.json', '--checkpoint', `kept${number}.txt`);
      expect(again.exit, again.stderr).to.equal(0);
    }

    const strange = Buffer.alloc(32, 7).toString('base64');
    await writeFile(at('strange.json'), JSON.stringify({ keys: [{ generation: 1, publicKey: strange }] }));
    const refusals: Record<string, readonly string[]> = {
      'the head is not signed by a known key': ['second.json', '--key', 'strange.json'],
      'the head of the witness is no checkpoint: it has not the three lines of a checkpoint: origin, size and root hash':
        ['second.json', '--checkpoint', 'keys.json'],
      'the head of the witness is of a larger tree: export the evidence again, with that head': [
        'first.json',
        '--checkpoint',
        'later.txt',
      ],
    };
    await writeFile(at('later.txt'), (await fileOf('second.json')).checkpoint);
    for (const [reason, args] of Object.entries(refusals)) {
      const { exit, stderr, stdout } = await verify(...args);
      expect({ exit, stderr, stdout }).to.deep.equal({
        exit: 1,
        stderr: `error: not proved: ${reason}.\n`,
        stdout: '',
      });
    }
  });

  it('refuses a tree that was rewritten and signed anew, by the head that a witness holds', async () => {
    const decisionId = await deployed('rewritten.json', expressing({ y: 'x' }));
    await exported(await execute(decisionId, '{"x":1}'), 'before.json');
    const { checkpoint } = await fileOf('before.json');
    await writeFile(at('witnessed.txt'), checkpoint);
    // Whoever has the database's password empties the tree; the server then makes and signs another one.
    const owner = { workspace_id: idToBytes(scene.workspaceId) };
    for (const table of ['heads', 'nodes', 'leaves', 'trees'])
      await testDatabase()(`evidence_${table}`).where(owner).delete();
    await testDatabase()('audit_entries').where(owner).limit(1).delete();
    await makeDue(testDatabase(), 'evidence');
    const again = await execute(decisionId, '{"x":2}');
    await eventually(async () => {
      const answer = await scene.caller.get('/logic/evidence/checkpoint');
      const size = (answer.body as { checkpoint: string }).checkpoint.split('\n')[1];
      return Number(size) >= Number(checkpoint.split('\n')[1]);
    });
    await exported(again, 'after.json', '--checkpoint', 'witnessed.txt');
    expect((await verify('after.json')).exit).to.equal(0);
    const { exit, stderr } = await verify('after.json', '--checkpoint', 'witnessed.txt');
    expect({ exit, stderr }).to.deep.equal({
      exit: 1,
      stderr: 'error: not proved: the tree did not begin as the witness saw it.\n',
    });
  });

  it('finds one bit that is changed, wherever it stands in what is proved', async () => {
    const id = await execute(await deployed('bits.json', expressing({ y: 'x' })), '{"x":1}');
    await exported(id, 'bits.json');
    const file = JSON.parse(await readFile(at('bits.json'), 'utf8')) as Record<string, unknown>;
    const texts = (value: unknown, path: readonly (string | number)[]): (readonly (string | number)[])[] =>
      typeof value === 'string'
        ? [path]
        : typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([name, part]) => texts(part, [...path, name]))
          : [];
    // The rest describes: when a key began to sign, and under which names models were reached.
    delete file['sha256'];
    const proved = texts(file, []).filter(
      (path) => !['keys', 'key'].includes(String(path.length > 1 && path[0] === 'keys' ? 'keys' : path.at(-1))),
    );
    let tried = 0;
    for (const path of proved) {
      const spoilt = structuredClone(file);
      let holder = spoilt;
      for (const step of path.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
      const last = path.at(-1)!;
      const bytes = Buffer.from(holder[last] as string);
      for (let bit = tried % 7; bit < bytes.length * 8; bit += Math.max(1, Math.floor(bytes.length / 3) * 8 + 1)) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        holder[last] = changed.toString();
        await writeFile(at('spoilt.json'), evidenceText(spoilt));
        const { exit, stderr } = await verify('spoilt.json');
        expect(exit, `${path.join('/')}, bit ${bit}: ${stderr}`).to.equal(1);
        expect(stderr, path.join('/')).to.match(/^error: not proved: /);
        tried++;
      }
    }
    expect(tried).to.be.above(20);
  });

  it('finds one bit that is changed anywhere in the file, in whatever describes what is proved, too', async () => {
    const id = await execute(await deployed('any.json', expressing({ y: 'x' })), '{"x":1}');
    await exported(id, 'any.json');
    const bytes = await readFile(at('any.json'));
    const step = Math.max(1, Math.floor(bytes.length / (isLong ? 250 : 50)));
    for (let at_ = 0; at_ < bytes.length; at_ += step) {
      const changed = Buffer.from(bytes);
      changed[at_]! ^= 1 << (at_ % 8);
      await writeFile(at('changed.json'), changed);
      const { exit, stderr } = await verify('changed.json');
      expect([exit, stderr.split(':').slice(0, 2).join()], `byte ${at_}`).to.deep.equal([1, 'error, not proved']);
    }
    for (const changed of [bytes.subarray(1), bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from(' ')])]) {
      await writeFile(at('changed.json'), changed);
      expect((await verify('changed.json')).exit).to.equal(1);
    }
  });
});
