import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
const installed = Object.entries(packages).filter(([path]) => path !== '');
const production = installed.filter(([, { dev }]) => dev !== true);

/** Licences that ask for no more than to be named; each SPDX expression as packages write it. */
const allowed = new Set(['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', '0BSD']);

/** Whether one of the choices of an SPDX expression is allowed. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => allowed.has(part.trim())));

/** The package's own word where it is installed, else the lock file's (binaries of other platforms). */
function licenceOf(path: string, locked: Locked): string {
  const file = join(projectRoot, path, 'package.json');
  const { license } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { license?: unknown }) : locked;
  return typeof license === 'string' ? license : `none that can be read: ${JSON.stringify(license)}`;
}

describe('what the service is made of', () => {
  it('has licences that are allowed, in every package that runs in production', () => {
    expect(production.length).to.be.above(150);
    const others = production
      .map(([path, locked]) => `${path}: ${licenceOf(path, locked)}`)
      .filter((line) => !isAllowed(line.slice(line.indexOf(': ') + 2)));
    expect(others).to.deep.equal([]);
  });

  it('would notice one that is not', () => {
    expect(['GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', ''].filter(isAllowed)).to.deep.equal([]);
    expect(['(MIT OR GPL-3.0)', 'MIT AND ISC'].filter(isAllowed)).to.have.length(2);
  });

  it('is installed at the versions that are locked', () => {
    const wrong = production.filter(([path, { version }]) => {
      const file = join(projectRoot, path, 'package.json');
      return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version !== version;
    });
    expect(wrong.map(([path]) => path)).to.deep.equal([]);
  });

  it('is locked by content: SHA-512 everywhere but for the oracle on other platforms, which this one never fetched', () => {
    const unlocked = installed.filter(([, { integrity, link }]) => link !== true && !/^sha512-/.test(integrity ?? ''));
    const others = [
      'darwin-arm64',
      'darwin-x64',
      'linux-arm64-gnu',
      'linux-arm64-musl',
      'wasm32-wasi',
      'win32-x64-msvc',
    ];
    expect(unlocked.map(([path]) => path)).to.have.members(
      others.map((platform) => `node_modules/@gorules/zen-engine-${platform}`),
    );
  });

  it('comes from the registry alone: no other host, no git, no folder', () => {
    const elsewhere = installed.filter(
      ([, { resolved, link }]) =>
        link === true || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    );
    expect(elsewhere).to.deep.equal([]);
    const { dependencies, devDependencies } = read('package.json') as Record<string, Record<string, string>>;
    const ranges = Object.entries({ ...dependencies, ...devDependencies });
    expect(ranges.filter(([, range]) => !/^[~^]?\d+\.\d+\.\d+$/.test(range))).to.deep.equal([]);
  });

  it('runs scripts at installation for two packages only, both known', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
    // Statistics of swagger-ui's publisher, switched off in package.json; and the check of esbuild's binary.
    expect(scripted).to.have.members(['node_modules/@scarf/scarf', 'node_modules/esbuild']);
    expect(read('package.json')).to.have.nested.property('scarfSettings.enabled', false);
  });
});

/** What a secret looks like. Each has an example, put together so that this file is not found by its own patterns. */
const patterns: readonly { readonly what: string; readonly pattern: RegExp; readonly example: string }[] = [
  {
    what: 'a private key',
    pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
    example: ['-----BEGIN RSA', 'PRIVATE', 'KEY-----'].join(' '),
  },
  { what: 'a private JWK', pattern: /"d"\s*:\s*"[\w-]{40,}"/, example: `{"d":"${'x'.repeat(43)}"}` },
  {
    what: 'a signed token',
    pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{40,}/,
    example: `eyJ${'a'.repeat(20)}.eyJ${'a'.repeat(20)}.${'a'.repeat(43)}`,
  },
  { what: 'a key of AWS', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, example: `AKIA${'A'.repeat(16)}` },
  {
    what: 'a token of GitHub, npm, Slack, Stripe or Google',
    pattern:
      /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{30,}|npm_[A-Za-z0-9]{36}|xox[abprs]-[\w-]{10,}|sk_live_\w{16,}|AIza[\w-]{35})\b/,
    example: `ghp_${'a'.repeat(36)}`,
  },
  {
    what: 'a password in an address',
    pattern: /\b[a-z][a-z0-9+]*:\/\/[^\s:/@'"`$<{]*:([^\s@/'"`$<{]+)@/,
    example: ['mysql://user', 'Tr0ub4dor@db.example/x'].join(':'),
  },
  {
    what: 'a registry that asks for credentials',
    pattern: /(?:_authToken|_password|_auth)\s*=\s*\S+/,
    example: ['_authToken', 'x'].join('='),
  },
];

/** A certificate for `localhost` with its key, for tests of TLS; nobody trusts it. */
const testCertificate = 'test/support/certificate.ts';

/** Words that stand for a password in tests, examples and documentation, and the body of a key that is none. */
const placeholders =
  /MC4CAQ==|:\/\/[^\s:/@]*:(?:x|y|p|s|b|pass|password|wrong|test|\.\.\.|…|user|pwd|pw|verdict|hun\S*ter2|change-?me\S*|s[3e]cret|p%\S*|\*+)@/i;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const secretsIn = (text: string): string[] =>
  patterns.flatMap(({ what, pattern }) =>
    text
      .split('\n')
      .filter((line) => line.length < 5000 && pattern.test(line) && !placeholders.test(line))
      .map((line) => `${what}: ${line.trim().slice(0, 120)}`),
  );

describe('secrets in the repository', function () {
  // An archive of the sources has no repository in it.
  before(function () {
    if (!existsSync(join(projectRoot, '.git'))) this.skip();
  });

  for (const { what, example } of patterns) {
    it(`${what} would be found`, () => {
      expect(secretsIn(example)).to.have.length(1);
    });
  }

  it('are in no tracked file', () => {
    const files = git('ls-files', '-z')
      .split('\0')
      .filter((file) => !['', 'package-lock.json', testCertificate].includes(file));
    expect(files.length).to.be.above(300);
    const found = files
      .filter((file) => existsSync(join(projectRoot, file)))
      .flatMap((file) => secretsIn(readFileSync(join(projectRoot, file), 'utf8')).map((line) => `${file}: ${line}`));
    expect(found).to.deep.equal([]);
  });

  it('are in no commit of the history', () => {
    const added = git(
      'log',
      '--all',
      '-p',
      '--unified=0',
      '--no-color',
      '--format=',
      '--',
      '.',
      ':!package-lock.json',
      `:!${testCertificate}`,
    )
      .split('\n')
      .filter((line) => line.startsWith('+'));
    expect(secretsIn(added.join('\n'))).to.deep.equal([]);
  });

  it('keep out by their names: no .env, key, dump or data folder is tracked', () => {
    const files = git('ls-files').split('\n');
    const wrong = files.filter((file) =>
      /(^|\/)(\.env|\.run|id_rsa|.*\.(pem|key|p12|pfx|sql|sqlite|dump))($|\/)/.test(file),
    );
    expect(wrong).to.deep.equal([]);
  });
});
