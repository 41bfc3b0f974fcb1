import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { imageNodeOptions, serverEnvironment, serverNodeOptions } from '../../db/server.js';
import { settings } from '../../src/config/config.js';
import { version } from '../../src/version.js';
import { engineNumber } from '../../workers/engine/index.js';

const read = (name: string): string => readFileSync(join(projectRoot, 'deploy', name), 'utf8');
const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable));
/** Settings of others that the files name. */
const foreign = new Set(['NODE_ENV', ...Object.keys(serverEnvironment)]);

type Node = Readonly<Record<string, unknown>>;

/** mocha brings a reader of YAML along; we need none of our own. */
const { loadAll } = createRequire(import.meta.url)('js-yaml') as { loadAll: (text: string) => Node[] };
const readYaml = (name: string): Node[] => loadAll(read(name));

/** The value at a path of keys and positions. */
const at = (node: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Node | undefined)?.[key], node);

describe('deploy/', () => {
  it('describes to Kubernetes a deployment that fits together', () => {
    const all = readYaml('kubernetes.yaml');
    const kinds = all.map(({ kind }) => kind);
    expect(kinds).to.have.members(
      'ConfigMap Deployment Service NetworkPolicy PodDisruptionBudget HorizontalPodAutoscaler'.split(' '),
    );
    const of = (kind: string): Node => all[kinds.indexOf(kind)]!;
    const pod = at(of('Deployment'), 'spec.template.spec');
    const labels = at(of('Deployment'), 'spec.template.metadata.labels');
    expect(at(of('Deployment'), 'spec.selector.matchLabels')).to.deep.equal(labels);
    for (const [kind, path] of [
      ['Service', 'spec.selector'],
      ['NetworkPolicy', 'spec.podSelector.matchLabels'],
      ['PodDisruptionBudget', 'spec.selector.matchLabels'],
    ] as const)
      expect(at(of(kind), path), kind).to.deep.equal(labels);
    expect(at(of('HorizontalPodAutoscaler'), 'spec.scaleTargetRef')).to.deep.include({
      kind: 'Deployment',
      name: at(of('Deployment'), 'metadata.name'),
    });

    expect(at(pod, 'securityContext.runAsNonRoot')).to.equal(true);
    for (const list of ['initContainers', 'containers'])
      expect(at(pod, `${list}.0.securityContext`)).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    const ports = at(pod, 'containers.0.ports') as { name: string; containerPort: number }[];
    const named = Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]));
    expect(named).to.deep.equal({ http: 3000, admin: 3001 });
    expect(at(of('Service'), 'spec.ports.0.targetPort')).to.equal('http');
    for (const [probe, path] of [
      ['startupProbe', '/healthz'],
      ['livenessProbe', '/healthz'],
      ['readinessProbe', '/readyz'],
    ] as const)
      expect(at(pod, `containers.0.${probe}.httpGet`)).to.deep.equal({ path, port: 'admin' });

    const [, pauseS] = at(pod, 'containers.0.lifecycle.preStop.exec.command') as string[];
    const drainMs = Number(at(of('ConfigMap'), 'data.SHUTDOWN_TIMEOUT_MS'));
    expect(Number(pauseS) + drainMs / 1000).to.be.below(Number(at(pod, 'terminationGracePeriodSeconds')));
  });

  it('describes to Docker services none of which runs as root, each of which says how it is', () => {
    const [compose] = readYaml('compose.yaml');
    const services = compose!.services as Record<string, Node>;
    expect(Object.keys(services)).to.have.members(['mysql', 'redis', 'migrate', 'verdict']);
    for (const name of ['mysql', 'redis']) expect(services[name]).to.have.property('healthcheck');
    expect(services['redis']).to.have.property('user', 'redis');
    expect(services['verdict']).to.deep.include({ read_only: true, cap_drop: ['ALL'] });
    for (const name of ['mysql', 'redis', 'verdict'])
      for (const port of services[name]!.ports as string[]) expect(port, name).to.match(/^127\.0\.0\.1:/);
    expect(read('Dockerfile')).to.match(/\nUSER node\n[^]*\nHEALTHCHECK /);
  });

  it('starts the server with the options that `make run` gives it, but for source maps, of which the image has none', () => {
    expect(read('Dockerfile')).to.match(/find node_modules dist -name '\*\.map' -delete/);
    const command = JSON.parse(/^CMD (.*main\.js.*)$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[];
    expect(serverNodeOptions).to.deep.equal(['--enable-source-maps', ...imageNodeOptions]);
    expect(command).to.deep.equal(['node', ...imageNodeOptions, 'dist/server/main.js']);
    for (const [name, value] of Object.entries(serverEnvironment))
      expect(read('Dockerfile')).to.match(new RegExp(`^ENV .*\\b${name}=${value}\\b`, 'm'));
  });

  it('sets only variables that the server reads', () => {
    const image = [...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      [...line.matchAll(/(\w+)=/g)].map(([, name = '']) => name),
    );
    const compose = [
      ...read('compose.yaml')
        .slice(read('compose.yaml').indexOf('  migrate:'))
        .matchAll(/^ {6}([A-Z_]+):/gm),
    ];
    const kubernetes = [...read('kubernetes.yaml').matchAll(/(?:^ {2}|name: )([A-Z][A-Z_]+)(?::|$)/gm)];
    const named = [...image, ...[...compose, ...kubernetes].map(([, name = '']) => name)];
    expect(named).to.include.members(['SHUTDOWN_TIMEOUT_MS', 'ISSUER', 'HTTP_PROCESSES', 'DATABASE_URL', 'REDIS_URL']);
    expect(named.filter((name) => !variables.has(name) && !foreign.has(name))).to.deep.equal([]);
  });

  it('runs files and copies folders that exist', () => {
    const all = ['Dockerfile', 'compose.yaml', 'kubernetes.yaml'].map(read).join('\n');
    const programs = [...all.matchAll(/dist\/[\w/-]+\.js/g)].map(([path]) => path);
    expect(programs).to.include.members(['dist/server/main.js', 'dist/db/migrate-main.js']);
    for (const path of programs) expect(existsSync(join(projectRoot, path)), path).to.equal(true);
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    );
    expect(copied).to.include('workers');
    for (const path of copied) expect(existsSync(join(projectRoot, path)), path).to.equal(true);
  });

  it('names the version of the package wherever it names one: images, what changed, the API', () => {
    const images = ['compose.yaml', 'kubernetes.yaml']
      .map(read)
      .flatMap((text) => [...text.matchAll(/image: (?:&\w+ )?(verdict\S*)/g)].map(([, image = '']) => image));
    expect(images).to.have.length.of.at.least(3);
    expect(new Set(images)).to.deep.equal(new Set([`verdict:${version}`]));
    const made = spawnSync('make', ['-n', 'image'], { cwd: projectRoot, encoding: 'utf8' }).stdout;
    expect(made).to.include(`-t 'verdict:${version}'`);
    const [newest = ''] = /^## \d.*$/m.exec(read('changes.md')) ?? [];
    expect(newest.replace(/^## | \(.*/g, '')).to.equal(version);
    expect(newest).to.include(`engine ${engineNumber}`);
    const document = readFileSync(join(projectRoot, 'dist/openapi/openapi.json'), 'utf8');
    expect((JSON.parse(document) as { info: { version: string } }).info.version).to.equal(version);
    expect(read('changes.md')).to.not.match(/^## Since/m);
  });

  it('reads metrics that there are', () => {
    const source = readFileSync(join(projectRoot, 'src/admin/metrics/pool.ts'), 'utf8');
    expect(read('kubernetes.yaml')).to.contain('verdict_pool_wait_seconds_bucket');
    expect(source).to.contain("'verdict_pool_wait_seconds'");
  });
});
