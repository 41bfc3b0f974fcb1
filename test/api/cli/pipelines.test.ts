import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { useApp } from '../../support/app.js';
import { protect } from '../../support/changes.js';
import { isLong } from '../../support/environment.js';
import { buildClient } from '../../support/factories.js';
import { useFreshFolder } from '../../support/folder.js';
import { doubling } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { testStore, useFreshScene } from '../../support/scene.js';

/** mocha brings a reader of YAML along. */
const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown };

interface GitHub {
  readonly jobs: {
    readonly decisions: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
  };
}
interface GitLab {
  readonly check: { readonly script: readonly string[] };
  readonly request: { readonly script: readonly string[] };
}

const recipe = async (name: string): Promise<unknown> =>
  load(await readFile(join(projectRoot, 'deploy', 'ci', name), 'utf8'));

/** All that their client may do, as both say. */
const scopes = [
  'decisions:read',
  'decision:read',
  'decision:write',
  'version:write',
  'environments:read',
  'environment:read',
  'deployments:read',
  'change:read',
  'change:write',
];

/** What each pipeline runs: the check, and what follows it once a change is merged. */
const pipelines = {
  async GitHub(): Promise<readonly [string, string]> {
    const { jobs } = (await recipe('github-actions.yml')) as GitHub;
    const [check = '', ...rest] = jobs.decisions.steps.flatMap(({ run }) => run ?? []);
    return [check.trim(), rest.join('\n')];
  },
  async GitLab(): Promise<readonly [string, string]> {
    const { check, request } = (await recipe('gitlab-ci.yml')) as GitLab;
    return [check.script.join('\n'), request.script.join('\n')];
  },
};

describe('the pipelines of deploy/ci', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const folder = useFreshFolder();

  beforeEach(async () => {
    await mkdir(join(folder, 'bin'));
    await writeFile(
      join(folder, 'bin', 'verdict'),
      `#!/bin/sh\nexec "${process.execPath}" "${join(projectRoot, 'dist', 'cli', 'main.js')}" "$@"\n`,
    );
    await chmod(join(folder, 'bin', 'verdict'), 0o755);
  });

  const write = async (model: object): Promise<void> => {
    await mkdir(join(folder, 'models', 'shop'), { recursive: true });
    await writeFile(join(folder, 'models', 'shop', 'fees.json'), JSON.stringify(model));
  };
  /** As both services run a step: the first command that fails ends it. */
  const shell = async (script: string): Promise<{ code: number; output: string }> => {
    const { tenantId, workspaceId } = scene;
    const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], scopes: scopes.join(' ') });
    const env = {
      ...remoteEnvironment(app, { ...client, workspaceId }),
      ...{ PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, GITHUB_SHA: 'abc', CI_COMMIT_SHA: 'abc' },
      ...{ DECISION: 'shop/fees.json', ENVIRONMENT: 'Production', HOME: folder },
    };
    try {
      const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, env });
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  };

  it('name the scopes that their client has here', async () => {
    for (const name of ['github-actions.yml', 'gitlab-ci.yml']) {
      const text = await readFile(join(projectRoot, 'deploy', 'ci', name), 'utf8');
      expect(text.match(/\w+:(read|write)\b/g), name).to.deep.equal(scopes);
    }
  });

  it('are the same commands, but for the name that the commit has there', async () => {
    const onGitLab = await pipelines.GitLab();
    expect(onGitLab.map((script) => script.replaceAll('CI_COMMIT_SHA', 'GITHUB_SHA'))).to.deep.equal(
      await pipelines.GitHub(),
    );
  });

  // In the short form one of two that are the same.
  for (const [service, read] of Object.entries(pipelines).slice(0, isLong ? 2 : 1)) {
    it(`${service}: stop a change whose tests fail, and bring one that is merged to its approvers`, async () => {
      const [check, merged] = await read();
      await write({ ...doubling(2), tests: [{ name: 'a <b>', input: { x: 1 }, output: { y: 3 } }] });
      const failed = await shell(check);
      expect(failed.code, failed.output).to.equal(1);
      expect(await readFile(join(folder, 'tests.xml'), 'utf8')).to.equal(
        [
          '<?xml version="1.0" encoding="UTF-8"?>',
          '<testsuites tests="1" failures="1">',
          '  <testsuite name="models/shop/fees.json" tests="1" failures="1">',
          '    <testcase classname="models/shop/fees.json" name="a &lt;b&gt;">',
          '      <failure message="/y: expected 3, got 2">/y: expected 3, got 2</failure>',
          '    </testcase>',
          '  </testsuite>',
          '</testsuites>',
          '',
        ].join('\n'),
      );

      await write({ ...doubling(2), tests: [{ input: { x: 1 }, output: { y: 2 } }] });
      const passed = await shell(check);
      expect(passed.code, passed.output).to.equal(0);
      const environment = (await scene.caller.post('/logic/environments', { name: 'Production' })).body;
      const { id: environmentId } = environment as { id: string };
      await protect(scene.caller, environmentId);
      // A run that is repeated asks for nothing more.
      for (let run = 1; run <= 2; run++) {
        const asked = await shell(merged);
        expect(asked.code, asked.output).to.equal(0);
      }
      const { body } = await scene.caller.get('/logic/change-requests');
      const { data } = body as { data: { title: string; environmentId: string; changes: { version: number }[] }[] };
      const requests = data.map(({ title, changes, ...each }) => [title, each.environmentId, changes[0]?.version]);
      expect(requests).to.deep.equal([['shop/fees.json of abc', environmentId, 1]]);
    });
  }
});
