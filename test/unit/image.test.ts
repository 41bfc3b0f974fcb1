import { spawnSync } from 'node:child_process';
import { accessSync, constants, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isLong } from '../support/environment.js';
import { projectRoot } from '../../db/root.js';

interface Stage {
  readonly name: string;
  /** What stands for the image's root. */
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
}

/**
 * Runs the steps of a build file in empty folders, one for each stage, as a builder does in containers: COPY finds only what
 * the checkout or an earlier stage has, RUN sees only what was copied before it. Absolute paths are below the stage's root.
 */
function runSteps(file: string, folder: string): Stage[] {
  const stages: Stage[] = [];
  for (const [instruction = '', rest = ''] of instructions(file)) {
    const stage = stages.at(-1);
    if (instruction === 'FROM') {
      const root = join(folder, String(stages.length));
      mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
      stages.push({ name: /\bAS (\S+)/.exec(rest)?.[1] ?? '', root, workdir: root, env: {} });
      continue;
    }
    if (stage === undefined) throw new Error(`${instruction} stands before FROM.`);
    if (instruction === 'WORKDIR') mkdirSync((stage.workdir = join(stage.root, rest)), { recursive: true });
    if (instruction === 'ENV')
      Object.assign(stage.env, Object.fromEntries(rest.split(' ').map((each) => each.split('='))));
    if (instruction === 'COPY') copy(rest.split(' '), stage, stages);
    if (instruction === 'RUN') run(rest, stage);
  }
  return stages;
}

const instructions = (file: string): string[][] =>
  [
    ...file
      .replaceAll(/^#.*\n/gm, '')
      .replaceAll('\\\n', ' ')
      .matchAll(/^([A-Z]+) (.+)$/gm),
  ].map((each) => each.slice(1));

function copy(words: readonly string[], stage: Stage, stages: readonly Stage[]): void {
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1];
  const paths = from === undefined ? words : words.slice(1);
  const target = paths.at(-1) ?? '';
  for (const path of paths.slice(0, -1)) {
    const source = from === undefined ? projectRoot : (stages.find(({ name }) => name === from)?.root ?? '');
    const into = target.endsWith('/') ? join(target, path.split('/').at(-1) ?? '') : target;
    copyTree(join(source, path), join(stage.workdir, into));
  }
}

/** Packages are linked: some 20,000 files that a step may remove and never writes to. */
function copyTree(source: string, target: string): void {
  if (!source.endsWith('node_modules')) cpSync(source, target, { recursive: true });
  else if (spawnSync('cp', ['-al', source, target]).status !== 0) throw new Error(`${source} cannot be linked.`);
}

/** In the short form packages are those of the checkout: `npm ci` and `npm prune` take a minute. */
function run(command: string, { root, workdir, env }: Stage): void {
  if (!isLong && command === 'npm ci') {
    copyTree(join(projectRoot, 'node_modules'), join(workdir, 'node_modules'));
    return;
  }
  const here = command
    .replaceAll(/ (\/usr\/local\/|\/app\/)/g, ` ${root}$1`)
    .replace('npm prune --omit=dev', isLong ? '$&' : 'true');
  const done = spawnSync('sh', ['-ec', here], { cwd: workdir, env: { ...process.env, ...env }, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`RUN ${command}\n${done.stdout}${done.stderr}`);
}

describe('deploy/Dockerfile', function () {
  this.timeout(600_000);
  const tests = join(projectRoot, '.test');
  mkdirSync(tests, { recursive: true });
  const folder = mkdtempSync(join(tests, 'image-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('builds from a checkout, step by step, an image whose server and command line start', () => {
    const [, image] = runSteps(readFileSync(join(projectRoot, 'deploy/Dockerfile'), 'utf8'), folder);
    const app = join(image?.root ?? '', 'app');
    const ask = (program: string, ...args: readonly string[]) =>
      spawnSync(program, args, { cwd: app, env: { PATH: process.env['PATH'] }, encoding: 'utf8' });
    const verdict = join(image?.root ?? '', 'usr/local/bin/verdict');
    accessSync(verdict, constants.X_OK);
    expect(ask(verdict, '--version').stdout.trim()).to.match(/^\d+\.\d+\.\d+$/);
    // Without its settings the server says which it lacks: it was loaded as a whole.
    expect(ask(process.execPath, 'dist/server/main.js').stderr).to.include('DATABASE_URL');
    expect(ask(process.execPath, 'dist/db/migrate-main.js').stderr).to.include('DATABASE_URL');
    expect(existsSync(join(app, 'db/seeds/demo'))).to.equal(true);
  });
});
