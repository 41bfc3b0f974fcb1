import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { runCli } from '../../../src/cli/runCli.js';
import { withoutProfile } from '../../support/remote.js';

/** A command in this process, with what it wrote. */
async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written[name] += chunk.toString();
        done();
      },
    });
  const terminal = {
    environment: withoutProfile,
    directory: '/',
    stdin: Readable.from([]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  };
  return { code: await runCli(args, terminal), ...written };
}

/** Names of the commands that a help text lists. */
function commandsIn(help: string): string[] {
  const [, list = ''] = help.split('\nCommands:\n');
  const names = list.split('\n\n')[0]?.matchAll(/^ {2}([a-z][a-z-]*)/gm) ?? [];
  return [...names].map(([, name = '']) => name).filter((name) => name !== 'help');
}

async function helpOf(path: readonly string[]): Promise<[string, string][]> {
  const { code, stdout, stderr } = await run(...path, '--help');
  expect([path, code, stderr]).to.deep.equal([path, 0, '']);
  const below = await Promise.all(commandsIn(stdout).map((name) => helpOf([...path, name])));
  return below.length === 0 ? [[path.join(' '), stdout]] : below.flat();
}

describe('the command line: usage', () => {
  const id = '01900000-0000-7000-8000-000000000000';
  const bad = `
    decision
    nonsense
    decision import
    decision import x.json --workspace W
    push
    deployment create a.json
    decision list --workspace ID --nonsense
    decision list more --workspace ID
    decision test --version x
    decision validate / /nothing
    login
    variable set --workspace ID --environment ID A-B 1
    variable set --workspace ID --environment ID A
    environment update ID
    environment list --url nowhere
    environment list --url http://a --profile b
    execution prune
    execution prune --before yesterday
    execution prune --before 2026-02-30
    execution list --workspace ID --size 0
    tenant
    tenant create
    tenant create --name x --nmae y
    tenant list extra
    tenant callback test
    tenant callback set --tenant ID
    tenant callback rotate
    workspace list --tenant not-a-uuid
    workspace create --name x --tenant not-a-uuid
    client list --tenant not-a-uuid
    client create --tenant ID --name x
    client create --tenant ID --name x --scopes a --role nothing
    client create --tenant ID --name x --scopes execution:write --role author
    client create --tenant ID --name x --scopes no:scope
    client create --tenant ID --name x --scopes execution:write,decision:read
    client create --tenant ID --name x --scopes execution:write --role part=no:scope
    client update ID --tenant ID --scopes no:scope
    client update ID --tenant ID --scopes execution:write --role author
    client update ID --tenant ID --per-second 5 --burst 5 --no-limit
    client update ID --tenant ID --burst 5
    workspace limit ID --per-second 5 --burst 5 --no-limit
    change create --url http://a --workspace ID --environment ID --title x --host a.example --no-hosts
    client disable
    client grant --client ID
    policy set --workspace ID --effect maybe --scopes environment:read
    policy set --workspace ID --effect allow --subject x --scopes no:scope
    policy remove --workspace ID
    key
    inquiry
    inquiry create --person x
    inquiry create --tenant ID
    inquiry create --tenant ID --person x --prerequisite A
    inquiry show
    inquiry show x
    inquiry delete
    inquiry complete ID --prerequisite x
    inquiry list --size 0
    outbox list --inquiry x
    outbox list --state lost
    outbox list --size 0
    outbox retry
    outbox retry ID --all
    outbox drop x
    outbox drop --tenant ID`
    .split('\n')
    .map((line) => line.trim().replaceAll('ID', id).split(' ').filter(Boolean));
  for (const args of bad) {
    it(`refuses verdict ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.not.equal('');
      expect(stderr).to.not.include('    at ');
    });
  }

  it('offers for a word that is no command those that have it, or the group that begins so', async () => {
    const offered = async (...args: string[]): Promise<string | undefined> =>
      /\(Did you mean (.+)\?\)\n/.exec((await run(...args)).stderr)?.[1];
    expect(await offered('deploy')).to.equal('verdict deployment');
    expect(await offered('execute')).to.equal('verdict execution');
    expect(await offered('decisions', 'list')).to.equal('verdict decision');
    expect(await offered('rollback')).to.equal('verdict deployment rollback');
    expect(await offered('check')).to.equal('one of verdict decision check, verdict evidence check');
    expect(await offered('decision', 'pull')).to.equal('verdict pull');
    expect(await offered('evironment'), 'one that is spelled alike').to.equal('environment');
    expect(await offered('nonsense')).to.equal(undefined);
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
    expect(await run('--version')).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('without a server and a client, nobody is signed in: exit 4', async () => {
    for (const args of [
      ['decision', 'list'],
      ['push', '/'],
      ['decision', 'validate'],
      ['decision', 'test', 'no.json'],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect([args, code, stdout]).to.deep.equal([args, 4, '']);
      expect(stderr).to.include('verdict login');
    }
  });

  it('no command takes a secret as the value of an option', async () => {
    for (const [path, text] of await helpOf([])) {
      expect(text, path).to.not.match(/--[\w-]*(secret|password|token)[\w-]* <(?!name>)\w/);
    }
  });

  it('every command answers --help, with examples', async () => {
    const helps = await helpOf([]);
    expect(helps.map(([path]) => path)).to.include.members([
      'decision import',
      'environment hosts set',
      'key rotate',
      'push',
      'audit list',
    ]);
    for (const [path, text] of helps)
      expect([path, text.includes(`Examples:\n  $ verdict ${path}`)]).to.deep.equal([path, true]);
  });
});
