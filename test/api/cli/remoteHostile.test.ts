import { readFile, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { verdictIn, type CommandResult } from '../../support/cli.js';
import { useFreshFolder } from '../../support/folder.js';
import { doubling } from '../../support/models.js';
import { record } from '../../support/recordingProxy.js';
import { remoteEnvironment } from '../../support/remote.js';
import { useFreshScene } from '../../support/scene.js';

/** What acts on a terminal instead of being shown. */
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const reversing = '\u202e';

describe('the command line and what strangers have named', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const folder = useFreshFolder();

  const run = (...args: string[]): Promise<CommandResult> => {
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    return verdictIn({ directory: folder, environment }, ...args);
  };
  const make = async (key: string): Promise<number> =>
    (await scene.caller.post('/logic/decisions', { key, content: doubling(2) })).status;

  const long = `${`${'k'.repeat(250)}/`.repeat(2)}${'k'.repeat(5)}.json`;
  const held = ['__proto__.json', 'constructor/__proto__.json', `${reversing}nosj.json`, 'a.json', '-rf.json', long];
  const leftOut = ['__proto__', '.verdict/a.json', 'a.json/b.json', `${'k'.repeat(507)}.json`, 'plain'];
  leftOut.push('.vscode/tasks.json', '.git/x.json', 'CON.json', 'x:y.json', 'A.json');

  it('pull brings keys of every kind, none of them to a place outside of the folder', async () => {
    for (const key of [...held, ...leftOut]) expect([key, await make(key)]).to.deep.equal([key, 201]);
    const pulled = await run('pull', 'copy', '--json');
    expect(pulled.exit, pulled.stderr).to.equal(0);
    const { files, leftOut: out } = pulled.json as { files: { key: string; change: string }[]; leftOut: string[] };
    expect(files.map(({ key }) => key)).to.have.members(held);
    expect(out).to.have.members(leftOut);
    expect(pulled.stderr).to.match(
      /^Left out, since in a folder are only keys that end in \.json or \.dmn, as files that every system can have:\n/,
    );
    expect(pulled.stdout + pulled.stderr).to.not.match(acting);
    expect(await readdir(folder)).to.deep.equal(['copy']);
    const names = await readdir(join(folder, 'copy'), { recursive: true, withFileTypes: true });
    expect(names.filter((entry) => entry.isFile())).to.have.length(held.length + 1);
    expect(JSON.parse(await readFile(join(folder, 'copy', '__proto__.json'), 'utf8'))).to.deep.equal(doubling(2));
    // What was left out is neither missing nor new: nothing to push, nothing to delete.
    expect((await run('push', 'copy', '--prune', '--dry-run')).exit).to.equal(3);
    const compared = await run('diff', 'copy');
    expect(compared).to.include({ exit: 0, stdout: 'no differences\n' });
    expect(compared.stderr, 'what a folder cannot hold is named').to.equal(pulled.stderr);
  });

  it('tables show names without doing what they say', async () => {
    const name = `\u001b]0;gone\u0007\u009b2J${reversing}\r\n`;
    expect(await make(`${reversing}x.json`)).to.equal(201);
    const decisionId = await scene.decision('d.json', {
      ...doubling(2),
      tests: [{ name, input: {}, output: { [name]: name } }],
    });
    const made = await scene.caller.post('/logic/environments', { name: `E${reversing}`, description: name });
    expect(made.status, made.text).to.equal(201);
    const { id } = made.body as { id: string };
    await scene.caller.post('/logic/deployments', {
      ...{ decisionId, environmentId: id, version: 1 },
      ...{ name: `D${reversing}`, message: name, deployedBy: reversing },
    });
    await scene.variable(id, 'V', name);
    const commands = [
      ['decision', 'list'],
      ['decision', 'show', 'd.json'],
      ['decision', 'test'],
      ['decision', 'validate'],
      ['environment', 'list'],
      ['environment', 'show', id],
      ['variable', 'list', '--environment', id],
      ['deployment', 'list'],
      ['audit', 'list'],
      ['pull', 'copy'],
      ['push', 'copy', '--dry-run'],
    ];
    for (const args of commands.flatMap((command) => [command, [...command, '--json']])) {
      const { stdout, stderr } = await run(...args);
      expect(stdout, args.join(' ')).to.not.equal('');
      expect(stdout + stderr, args.join(' ')).to.not.match(acting);
    }
  });
});

describe('the command line and what others do meanwhile', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const folder = useFreshFolder();

  it('push --prune keeps what is changed between its look and its deletion, and says so', async () => {
    const ids = [await scene.write('kept.json', doubling(2)), await scene.write('surplus.json', doubling(2))];
    let isChanged = false;
    const server = await record(app, [], async ({ method, path }) => {
      // The first look at one of them, after all of them were listed: it is to be deleted.
      if (method !== 'GET' || path !== `/logic/decisions/${ids[1]}` || isChanged) return;
      isChanged = true;
      expect((await scene.caller.patch(path, { content: doubling(3) })).status).to.equal(200);
    });
    try {
      const { port } = server.address() as AddressInfo;
      const client = { ...scene.client, workspaceId: scene.workspaceId };
      const environment = remoteEnvironment({ baseUrl: `http://127.0.0.1:${port}` }, client);
      const run = (...args: string[]): Promise<CommandResult> => verdictIn({ directory: folder, environment }, ...args);
      expect((await run('pull', 'copy')).exit).to.equal(0);
      await rm(join(folder, 'copy', 'surplus.json'));
      const pushed = await run('push', 'copy', '--prune');
      expect(pushed.exit).to.equal(1);
      expect(pushed.stderr).to.include('surplus.json was not deleted: others have just changed it');
    } finally {
      server.close();
    }
    const left = (await scene.caller.get(`/logic/decisions/${ids[1]}/versions/0`)).body;
    expect(left).to.have.deep.property('content', doubling(3));
  });
});
