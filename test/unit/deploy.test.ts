import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { settings } from '../../src/config.js';

const read = (name: string): string => readFileSync(join(projectRoot, 'deploy', name), 'utf8');
const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable));
/** Settings of others that the files name. */
const foreign = new Set(['NODE_ENV']);

describe('deploy/', () => {
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
    expect(programs).to.include.members(['dist/src/main.js', 'dist/db/migrate-main.js']);
    for (const path of programs) expect(existsSync(join(projectRoot, path)), path).to.equal(true);
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    );
    expect(copied).to.include('workers');
    for (const path of copied) expect(existsSync(join(projectRoot, path)), path).to.equal(true);
  });

  it('reads metrics that there are', () => {
    const source = readFileSync(join(projectRoot, 'src/admin/metrics/pool.ts'), 'utf8');
    expect(read('kubernetes.yaml')).to.contain('verdict_pool_wait_seconds_bucket');
    expect(source).to.contain("'verdict_pool_wait_seconds'");
  });
});
