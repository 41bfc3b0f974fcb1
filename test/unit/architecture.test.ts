import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '..', '..', '..');

/** Every TypeScript file of a room, with the project files that it imports, as paths from the project's root. */
function importsOf(room: string): { file: string; imported: string[] }[] {
  return readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = join(root, room, name);
      const text = readFileSync(path, 'utf8');
      const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].map((match) =>
        relative(root, normalize(join(dirname(path), match[1] ?? ''))).replace(/\.js$/, '.ts'),
      );
      return { file: join(room, name), imported };
    });
}

function offenders(room: string, allowed: (imported: string, file: string) => boolean): string[] {
  const files = importsOf(room);
  expect(files, `${room} has files`).to.not.be.empty;
  return files.flatMap(({ file, imported }) =>
    imported.filter((path) => !allowed(path, file)).map((path) => `${file} imports ${path}`),
  );
}

const engineEntries = new Set([
  'workers/engine/index.ts',
  'workers/models/index.ts',
  'workers/outbound/index.ts',
  'workers/protocol.ts',
]);

describe('architecture', () => {
  it('workers/ imports nothing of src/, db/ or test/', () => {
    expect(offenders('workers', (path) => path.startsWith('workers/'))).to.deep.equal([]);
  });

  it('the engine imports nothing outside of itself but the outbound guard', () => {
    const allowed = (path: string): boolean =>
      path.startsWith('workers/engine/') || path === 'workers/outbound/index.ts';
    expect(offenders('workers/engine', allowed)).to.deep.equal([]);
  });

  it('src/ reaches workers/ only through the public entries of engine, models and outbound, and the protocol', () => {
    expect(
      offenders('src', (path) => path.startsWith('src/') || engineEntries.has(path) || path.startsWith('db/')),
    ).to.deep.equal([]);
  });

  it('only compose.ts, main.ts and the command line know everybody', () => {
    const allowed = (path: string, file: string): boolean =>
      !/^src\/(compose|main|app)\.ts$/.test(path) || /^src\/(compose|main)\.ts$/.test(file);
    expect(offenders('src', allowed)).to.deep.equal([]);
  });

  it('stores, and what stands under them, know nothing of HTTP', () => {
    const under = (file: string): boolean => file.endsWith('.store.ts') || file.startsWith('src/storage/');
    expect(offenders('src', (path, file) => !under(file) || !path.startsWith('src/http/'))).to.deep.equal([]);
  });

  it('http/ knows nothing of SQL', () => {
    const users = importsOf('src/http').filter(({ file }) =>
      /'knex'|mysqlErr/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(users).to.deep.equal([]);
  });

  it('OpenTelemetry is loaded by nothing but the file that is imported when a collector is named', () => {
    const all = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const users = all.filter((name) => readFileSync(join(root, 'src', name), 'utf8').includes("'@opentelemetry/"));
    const deferred = ['tracing/announced.ts', 'tracing/otlp.ts', 'tracing/sampler.ts'];
    expect(users.sort()).to.deep.equal(deferred);
    const imports = all
      .filter((name) => !deferred.includes(name))
      .flatMap((name) =>
        [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/^import .*(?:otlp|announced|sampler)\.js'/gm)].map(
          String,
        ),
      );
    expect(imports).to.deep.equal([]);
  });

  it('no production file imports a test', () => {
    expect(offenders('src', (path) => !path.startsWith('test/'))).to.deep.equal([]);
    expect(offenders('db', (path) => !path.startsWith('test/'))).to.deep.equal([]);
  });
});
