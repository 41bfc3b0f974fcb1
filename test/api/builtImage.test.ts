import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { freePort } from '../../db/services/ports.js';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { doubling } from '../support/models.js';
import { buildScene } from '../support/scene.js';
import { testEnvironment } from '../support/settings.js';

const file = join(projectRoot, 'deploy/Dockerfile');
const image = 'localhost/verdict-test';

const buildah = (...args: readonly string[]) => spawnSync('buildah', args, { cwd: projectRoot, encoding: 'utf8' });
const done = (...args: readonly string[]): string => {
  const { status, stdout, stderr } = buildah(...args);
  expect(status, `buildah ${args.join(' ')}\n${stdout.slice(-4000)}${stderr.slice(-4000)}`).to.equal(0);
  return stdout.trim();
};

/** Whether Debian's builder is here, and what the build begins from can be had. */
function canBuild(): boolean {
  const [, base = ''] = /^FROM (\S+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  return buildah('pull', '--policy', 'missing', base).status === 0;
}

/**
 * `test/unit/image.test.ts` takes the steps of the build file one by one, on any machine. This has a builder take them: all
 * packages are installed, which takes minutes, so it is of the long form alone.
 */
describe('the image of deploy/Dockerfile', function () {
  this.timeout(3_600_000);
  const port = { api: 0, admin: 0 };
  let container = '';
  let server: ChildProcess | undefined;

  before(async function () {
    if (!isLong || !canBuild()) this.skip();
    port.api = await freePort(43_000);
    port.admin = await freePort(port.api + 1);
    done('bud', '--format', 'docker', '--isolation', 'chroot', '--network', 'host', '-f', file, '-t', image, '.');
    container = done('from', image);
  });
  after(async () => {
    if (server?.exitCode === null && server.pid !== undefined) {
      process.kill(-server.pid, 'SIGKILL');
      await once(server, 'exit');
    }
    if (container !== '') done('rm', container);
  });

  /** A command in the container, as its user and with its settings. */
  const running = (command: readonly string[]): string[] => {
    const { DATABASE_URL = '', REDIS_URL = '', ENCRYPTION_KEY = '' } = testEnvironment();
    const settings = { DATABASE_URL, REDIS_URL, ENCRYPTION_KEY, PORT: port.api, ADMIN_PORT: port.admin };
    const variables = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return ['run', '--isolation', 'chroot', '--network', 'host', ...variables, container, '--', ...command];
  };

  it('is built by a builder, and its server is healthy and executes', async () => {
    const inspected = JSON.parse(done('inspect', '--type', 'image', image)) as {
      readonly Docker: {
        readonly config: { readonly Cmd: string[]; readonly Healthcheck: { readonly Test: string[] } };
      };
    };
    const { Cmd: command, Healthcheck: health } = inspected.Docker.config;
    done(...running(['node', 'dist/db/migrate-main.js']));
    let log = '';
    server = spawn('buildah', running(command), { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    await eventually(() => {
      expect(server?.exitCode, log).to.equal(null);
      // CMD is the first word of the check.
      return buildah(...running(health.Test.slice(1))).status === 0;
    });
    const scene = await buildScene({ baseUrl: `http://127.0.0.1:${port.api}` });
    const { path } = await scene.deployed('double.json', doubling(2));
    const answer = await scene.caller.post(path, { fact: { x: 21 } });
    expect(answer.body).to.deep.include({ status: 'COMPLETED', result: { y: 42 } });
    expect(done(...running(['verdict', '--version']))).to.match(/^\d+\.\d+\.\d+$/);
  });
});
