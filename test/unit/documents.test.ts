import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect } from 'chai';
import type { Command } from 'commander';
import { projectRoot } from '../../db/root.js';
import { createProgram } from '../../src/cli/program.js';
import { createSession } from '../../src/cli/session.js';
import { settings } from '../../src/config/config.js';
import { importLimits, maxReach } from '../../src/decisions/limits.js';
import { guides } from '../../src/api/docs/guides.js';
import { anchorOf } from '../../src/api/docs/render.js';
import { problems } from '../../src/errors.js';
import { maxPageSize } from '../../src/api/paginate.js';
import { defaultLimits } from '../../workers/engine/limits.js';
import { defaultSandboxLimits } from '../../workers/engine/sandbox/limits.js';
import { readDocuments } from '../support/documents.js';

const documents = readDocuments();
const everything = documents.map(({ text }) => text).join('\n');
const read = (...path: string[]): string => readFileSync(join(projectRoot, ...path), 'utf8');
const found = (pattern: RegExp, text = everything): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];
/** Without blocks of code, in which `#` begins a comment. */
const prose = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '');

describe('documents', () => {
  it('are short: README one page of 180 lines and 14 KB, the others 250 lines', () => {
    const lines = (text: string): number => text.trimEnd().split('\n').length;
    const { text: readme = '' } = documents.find(({ path }) => path === 'README.md') ?? {};
    expect(lines(readme)).to.be.within(50, 180);
    expect(Buffer.byteLength(readme)).to.be.at.most(14 * 1024);
    expect(documents.filter(({ text }) => lines(text) > 250).map(({ path }) => path)).to.deep.equal([]);
  });

  it('link to files and headings that there are', () => {
    const faults = documents.flatMap(({ path, text }) =>
      [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^https?:/.test(target) && !leadsSomewhere(path, target))
        .map((target) => `${path}: ${target}`),
    );
    expect(faults).to.deep.equal([]);
    expect(leadsSomewhere('README.md', 'deploy/nothing.md'), 'a file that is not there').to.equal(false);
    expect(leadsSomewhere('README.md', 'deploy/README.md#nothing'), 'a heading that is not there').to.equal(false);
  });

  it('are reached by links from README, every one', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const { text = '' } = documents.find((document) => document.path === path) ?? {};
      for (const [, target = ''] of text.matchAll(/\]\(([^)#\s]+\.md)[^)\s]*\)/g))
        if (!/^https?:/.test(target)) reached.add(normalize(join(dirname(path), target)));
    }
    // A code's page is reached from /problems, which lists every code.
    const isOfCode = (path: string): boolean => path.startsWith('src/api/problems/');
    expect(documents.map(({ path }) => path).filter((path) => !reached.has(path) && !isOfCode(path))).to.deep.equal([]);
  });

  it('name every room of src/ in README’s table', () => {
    const rooms = readdirSync(join(projectRoot, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `src/${name}`);
    const listed = found(/\[((?:src|workers|db|deploy|test)[\w/]*)\]\(/g, read('README.md'));
    expect(rooms.filter((room) => !listed.includes(room))).to.deep.equal([]);
  });

  it('have a page at /docs for each guide of src/api/docs', () => {
    const files = readdirSync(join(projectRoot, 'src', 'api', 'docs')).filter((name) => name.endsWith('.md'));
    expect(guides.map(({ name }) => `${name}.md`)).to.have.members(files);
  });

  it('say of every dependency why it is there', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    const words = new Set(read('.github', 'CONTRIBUTING.md').split(/[\s,|()]+/));
    expect(names.filter((name) => !words.has(name))).to.deep.equal([]);
  });

  it('name make targets that there are', () => {
    const targets = new Set(found(/^([a-z][a-z-]*):.*## /gm, read('Makefile')));
    const named = found(/(?:`|^|ADMIN_PORT=\d+ )make ([a-z][a-z-]*)/gm);
    expect(named).to.include.members(['run', 'test', 'tune', 'faults', 'migrate']);
    expect(named.filter((name) => !targets.has(name))).to.deep.equal([]);
  });

  it('name commands, with options, that the command line has', async () => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const terminal = { environment: {}, directory: '/', stdin: Readable.from([]), stdout: nowhere, stderr: nowhere };
    const program = await createProgram(createSession(terminal), terminal);
    const lines = everything.replaceAll('\\\n', ' ').match(/(?:^|[`( ])verdict (?!\(\))[a-z][^`\n|]*/gm) ?? [];
    expect(lines).to.have.length.of.at.least(30);
    const faults = lines.flatMap((line) => faultsOf(program, line.trim().replace(/^[`( ]*verdict /, '')));
    expect(faults).to.deep.equal([]);
  });

  it('name settings that there are', () => {
    const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
    /** Of make, tests, MySQL, TiDB, the command line and the examples. */
    const others =
      /^(FAULT_SECONDS|TEST_PACE|TEST_PATIENCE|AUTO_\w+|GET_LOCK|SKIP_LOCKED|AFTER_SYNC|BEFORE_ON_\w+|ABORT_SERVER|GROUP_REPLICATION|VERDICT_\w+|FREE_FROM|RUN_TIMEOUT_MILLIS|MYSQL_TOOLS|REDIS_PORT|REDIS_SERVICE_HOST|API_KEY|MALLOC_\w+|OTEL_\w+)$/;
    const named = found(/\b([A-Z]+_[A-Z_]+[A-Z])\b/g);
    expect(named).to.include('TRUSTED_ISSUERS');
    expect(named.filter((name) => !known.has(name) && !others.test(name))).to.deep.equal([]);
  });

  it('name metrics that there are', () => {
    const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read('src', name))
      .join('\n');
    const named = found(/\b(verdict_[a-z_]+?)(?:_bucket)?\b(?=[^a-z_])/g);
    expect(named).to.have.length.of.at.least(8);
    expect(named.filter((name) => !sources.includes(`'${name}'`))).to.deep.equal([]);
  });

  it('say of every error code what to do, with its status', () => {
    const rows = read('src', 'api', 'docs', 'errors.md')
      .split('\n')
      .filter((line) => /^\| [45]\d\d `/.test(line));
    const said = rows.flatMap((row) => {
      const [, cell = ''] = row.split(' | ', 1)[0]?.split('| ') ?? [];
      let status = 0;
      return [...cell.matchAll(/(\d{3})|`(\w+)`/g)].flatMap(([, number, code]) => {
        if (number !== undefined) status = Number(number);
        return code === undefined ? [] : [`${status} ${code}`];
      });
    });
    expect(said).to.have.members(Object.entries(problems).map(([code, { status }]) => `${status} ${code}`));
  });

  it('name files that there are', () => {
    const paths = found(/`((?:src|workers|db|test|deploy)\/[\w./-]*)`/g);
    expect(paths).to.include('test/golden');
    expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).to.deep.equal([]);
  });

  it('name files of their rooms that there are', () => {
    const files = ['src', 'workers', 'db', 'test'].flatMap((room) =>
      readdirSync(join(projectRoot, room), { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
    );
    /** Of the room, of another one from `src/` on, or a test. */
    const isFile = (path: string, name: string): boolean =>
      existsSync(join(projectRoot, dirname(path), name)) ||
      existsSync(join(projectRoot, name)) ||
      files.some((file) => file.endsWith(`/${name}`) && (file.startsWith(dirname(path)) || file.startsWith('test')));
    const named = documents.flatMap(({ path, text }) =>
      found(/`((?:\.\.\/)*[\w./-]+\.tsx?)`/g, text).map((name) => ({ path, name })),
    );
    expect(named).to.have.length.of.at.least(100);
    const faults = named.filter(({ path, name }) => !isFile(path, name));
    expect(faults.map(({ path, name }) => `${path}: ${name}`)).to.deep.equal([]);
  });

  it('have the limits that hold', () => {
    const limits = read('src', 'api', 'docs', 'limits.md').replaceAll(/[|*`]/g, '');
    const mebi = 1024 * 1024;
    const number = (value: number): string => value.toLocaleString('en-US');
    const expected = [
      `Nesting of an expression  ${defaultLimits.expressionDepth}`,
      `Size of an expression (nodes of its tree)  ${number(defaultLimits.astNodes)}`,
      `Steps of a run (calls, cells, rounds)  ${number(defaultLimits.steps)}`,
      `Rounds of one loop or closure  ${number(defaultLimits.iterations)}`,
      `Decisions within decisions  ${defaultLimits.subDecisionDepth}`,
      `Result as JSON  ${defaultLimits.outputBytes / mebi} MiB`,
      `A trace  ${defaultLimits.traceBytes / mebi} MiB`,
      `Text, list made by one operation  ${number(defaultLimits.stringLength)} characters, items`,
      `Items that a run makes, all together  ${number(defaultLimits.madeItems)}`,
      `Memory of a run's function nodes  ${defaultSandboxLimits.memoryBytes / mebi} MB`,
      `Input of a function node  ${defaultSandboxLimits.inputLength / mebi} Mi characters`,
      `Output of a function node  ${defaultSandboxLimits.outputLength / mebi} Mi characters, ${defaultSandboxLimits.outputDepth} levels`,
      `of http alone  ${number(defaultSandboxLimits.hostCalls)}; ${defaultSandboxLimits.httpCalls}`,
      `console.log of a run  ${number(defaultSandboxLimits.logEntries)} entries`,
      `Page size  ${maxPageSize}`,
      `A model has at most ${importLimits.fileBytes / mebi} MiB and ${importLimits.jsonDepth} levels`,
      `an import ${number(importLimits.files)} files and ${importLimits.totalBytes / mebi} MiB`,
      `reaches at most ${number(maxReach)} others`,
    ];
    const plain = limits.replaceAll(/[ \n]+/g, ' ');
    expect(expected.filter((text) => !plain.includes(text.replaceAll(/ +/g, ' ')))).to.deep.equal([]);
  });

  it('have the table of settings that the code has (UPDATE=1 writes it)', () => {
    const path = join(projectRoot, 'deploy', 'settings.md');
    const text = readFileSync(path, 'utf8');
    const written = text.replace(/(<!-- settings -->\n)[^]*(<!-- \/settings -->)/, (_all, start: string, end: string) =>
      [start, settingsTable(), end].join(''),
    );
    expect(written).to.include(settingsTable());
    if (process.env['UPDATE'] === '1') writeFileSync(path, written);
    else expect(text).to.equal(written);
  });
});

/** Whether a link of the document at `path` leads to a file of the project, and its anchor to a heading there. */
function leadsSomewhere(path: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const aim = file === '' ? path : normalize(join(dirname(path), file));
  if (!existsSync(join(projectRoot, aim))) return false;
  if (anchor === undefined) return true;
  return found(/^#+ (.*)$/gm, prose(read(aim))).some((title) => anchorOf(title) === anchor);
}

function settingsTable(): string {
  const rows = Object.values(settings).map(
    ({ variable, fallback, explanation }) =>
      `| \`${variable}\` | ${shownDefault(fallback)} | ${explanation.replaceAll('|', '\\|')} |\n`,
  );
  return `| Variable | Default | What it is for |\n|---|---|---|\n${rows.join('')}`;
}

function shownDefault(fallback: unknown): string {
  if (fallback === undefined) return 'must be set';
  return fallback === null || typeof fallback === 'object' ? '' : `\`${JSON.stringify(fallback).replaceAll('"', '')}\``;
}

/** What a line of the command line names that is not there. */
function faultsOf(program: Command, line: string): string[] {
  const words = line.replaceAll(/'[^']*'|"[^"]*"/g, 'text').split(/[\s)]+/);
  let command = program;
  for (const word of words) {
    if (command.commands.length === 0 || !/^[a-z][a-z-]*$/.test(word)) break;
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) return [`verdict ${line}: no ${word}`];
    command = next;
  }
  const options = new Set([...program.options, ...command.options].map(({ long }) => long));
  return words
    .filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.split('=', 1)[0] ?? '')
    .filter((option) => option !== '--help' && !options.has(option))
    .map((option) => `verdict ${line}: no ${option}`);
}
