import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { operations } from '#openapi/operations.gen.js';
import { createService } from '../../../src/cli/remote/service.js';
import { bootApp, type TestApp, useApp } from '../../support/app.js';
import { runVerdict } from '../../support/cli.js';
import { stopClock } from '../../support/clock.js';
import type { CliAnswer } from '../../support/cliProcess.js';
import { buildClient, buildWorkspace, type BuiltClient, useStore } from '../../support/factories.js';
import { useFreshFolder } from '../../support/folder.js';
import { remoteEnvironment } from '../../support/remote.js';

describe('signing in from anywhere', () => {
  const app = useApp();
  const store = useStore();
  const home = useFreshFolder();
  let client: BuiltClient;
  const file = (): string => join(home, 'verdict', 'config.json');

  beforeEach(async () => {
    client = await buildClient(store);
  });

  const run = (args: readonly string[], input = '', environment: Record<string, string> = {}): Promise<CliAnswer> =>
    runVerdict(args, { directory: home, input, environment: { XDG_CONFIG_HOME: home, ...environment } });
  const login = (...more: string[]): Promise<CliAnswer> =>
    run(['login', '--url', app.baseUrl, '--client-id', client.id, ...more], `${client.secret}\n`);

  it('login keeps a profile that only its owner may read, and shows no secret', async () => {
    const { code, stdout, stderr } = await login('--json');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).to.deep.equal({
      profile: 'default',
      url: app.baseUrl,
      clientId: client.id,
      workspaceId: client.workspaceId,
    });
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect(await readdir(join(home, 'verdict')), 'no draft is left').to.deep.equal(['config.json']);
    const { profiles } = JSON.parse(await readFile(file(), 'utf8')) as { profiles: Record<string, object> };
    expect(profiles['default']).to.include({ clientId: client.id, clientSecret: client.secret });
    const who = await run(['whoami', '--json']);
    expect(JSON.parse(who.stdout)).to.deep.include({
      url: app.baseUrl,
      clientId: client.id,
      source: 'profile default',
    });
    expect(who.stdout).to.not.include(client.secret);
    expect((await run(['environment', 'list'])).code).to.equal(0);
  });

  it('login with a wrong secret is exit 4 and keeps nothing', async () => {
    const { code, stderr } = await run(['login', '--url', app.baseUrl, '--client-id', client.id], 'wrong');
    expect(code).to.equal(4);
    expect(stderr).to.include('does not accept the client');
    expect(await readdir(home)).to.deep.equal([]);
  });

  it('login takes server and client from the variables, or from the profile whose secret was replaced', async () => {
    const variables = { VERDICT_URL: app.baseUrl, VERDICT_CLIENT_ID: client.id };
    const first = await run(['login', '--json'], `${client.secret}\n`, variables);
    expect(JSON.parse(first.stdout)).to.deep.include({ url: app.baseUrl, clientId: client.id });
    const again = await run(['login', '--json'], `${client.secret}\n`);
    expect(JSON.parse(again.stdout)).to.deep.include({ url: app.baseUrl, clientId: client.id });
    const part = await run(['login', '--client-id', client.id], `${client.secret}\n`);
    expect(part, "not another client at the profile's server").to.include({ code: 2 });
  });

  it('a secret is no argument of any command', async () => {
    const { code } = await run(['login', '--url', app.baseUrl, '--client-id', client.id, '--client-secret', 'x']);
    expect(code).to.equal(2);
  });

  it('logout forgets the secret; then nobody is signed in', async () => {
    await login('--profile', 'other');
    await login();
    expect((await run(['logout'])).code).to.equal(0);
    expect((await run(['whoami', '--json'])).stdout, 'the one that is left').to.include('profile other');
    expect((await run(['logout', '--profile', 'other'])).code).to.equal(0);
    expect(await readFile(file(), 'utf8')).to.not.include(client.secret);
    const { code, stderr } = await run(['environment', 'list']);
    expect(code).to.equal(4);
    expect(stderr).to.include('verdict login');
  });

  it('flags come before variables, and variables before the profile', async () => {
    await login();
    const other = await buildClient(store);
    const variables = remoteEnvironment(app, other);
    const source = async (args: readonly string[], environment: Record<string, string>): Promise<unknown> => {
      const { stdout } = await run(['whoami', '--json', ...args], '', environment);
      const { clientId, workspaceId } = JSON.parse(stdout) as { clientId: string; workspaceId: string };
      return [clientId, workspaceId];
    };
    const environment = { ...variables, XDG_CONFIG_HOME: home };
    expect(await source([], environment)).to.deep.equal([other.id, other.workspaceId]);
    expect(await source(['--profile', 'default'], { ...environment, VERDICT_WORKSPACE: '' })).to.deep.equal([
      client.id,
      client.workspaceId,
    ]);
    expect(await source(['--workspace', client.workspaceId], environment)).to.deep.equal([
      other.id,
      client.workspaceId,
    ]);
    expect(await source([], { VERDICT_WORKSPACE: other.workspaceId })).to.deep.equal([client.id, other.workspaceId]);
  });

  it("a profile's secret is sent to the profile's own server alone", async () => {
    await login();
    const { code, stderr } = await run(['environment', 'list', '--url', 'http://127.0.0.1:9']);
    expect(code).to.equal(4);
    expect(stderr).to.include('VERDICT_CLIENT_ID (or --client-id) and VERDICT_CLIENT_SECRET are not given');
    expect((await run(['environment', 'list', '--url', app.baseUrl])).code).to.equal(0);
  });

  it('a profile that others may write is not used', async () => {
    await login();
    await chmod(file(), 0o666);
    const { code, stderr } = await run(['environment', 'list']);
    expect(code).to.equal(1);
    expect(stderr).to.include('may be written by other users');
  });

  it('a damaged profile is exit 1 with what to do', async () => {
    await login();
    await writeFile(file(), '{"profiles": []}');
    expect(await run(['environment', 'list'])).to.include({ code: 1 });
  });

  it('a server that is away is exit 1 and says what was tried', async () => {
    const environment = remoteEnvironment({ baseUrl: 'http://127.0.0.1:9' }, client);
    const { code, stderr } = await runVerdict(['environment', 'list'], { directory: home, environment });
    expect(code).to.equal(1);
    expect(stderr).to.include('http://127.0.0.1:9 cannot be reached (ECONNREFUSED)').and.include('Tried: POST');
  });

  it('what is no Verdict server is exit 1, and is not followed elsewhere', async () => {
    const elsewhere = await answering(302, { Location: app.baseUrl });
    try {
      const { port } = elsewhere.address() as AddressInfo;
      const environment = remoteEnvironment({ baseUrl: `http://127.0.0.1:${port}` }, client);
      const { code, stderr } = await runVerdict(['environment', 'list'], { directory: home, environment });
      expect(code).to.equal(1);
      expect(stderr).to.include('302');
    } finally {
      elsewhere.close();
    }
  });

  it('no workspace is wrong usage, a foreign one is refused', async () => {
    const { VERDICT_WORKSPACE: _, ...environment } = remoteEnvironment(app, client);
    const without = await runVerdict(['environment', 'list'], { directory: home, environment });
    expect(without).to.include({ code: 2 });
    expect(without.stderr).to.include('VERDICT_WORKSPACE');
    const foreign = ['environment', 'list', '--workspace', await buildWorkspace(store)];
    expect(await runVerdict(foreign, { directory: home, environment })).to.include({ code: 1 });
  });

  it('an expired token is renewed without a word', async () => {
    const brief = await bootApp({ TOKEN_LIFETIME_S: '10' });
    const clock = stopClock();
    try {
      const { id: clientId, secret: clientSecret, workspaceId } = client;
      const connection = { url: brief.baseUrl, clientId, clientSecret, workspaceId, source: 'test' };
      const service = createService(connection);
      const list = () => service.all(operations.listEnvironments);
      await list();
      // Nearly half of its life, and then half of it.
      await clock.pass(4900);
      await list();
      expect(tokensGiven(brief), 'one for both').to.equal(1);
      await clock.pass(200);
      await list();
      expect(tokensGiven(brief)).to.equal(2);
    } finally {
      clock.release();
      await brief.stop();
    }
  });
});

const tokensGiven = (app: TestApp): number => app.log().split('/core/oauth2/token').length - 1;

function answering(status: number, headers: Record<string, string>): Promise<Server> {
  const server = createServer((_request, response) => void response.writeHead(status, headers).end());
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
