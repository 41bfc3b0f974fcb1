import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import type { Command } from 'commander';
import { projectRoot } from '../../db/root.js';
import { createProgram } from '../../src/cli/program.js';
import { createSession } from '../../src/cli/session.js';
import { settings } from '../../src/config/config.js';
import { importLimits, maxReach } from '../../src/decisions/limits.js';
import { problems } from '../../src/errors.js';
import { maxPageSize } from '../../src/http/paginate.js';
import { defaultLimits } from '../../workers/engine/limits.js';
import { defaultSandboxLimits } from '../../workers/engine/sandbox/limits.js';
import { readme } from '../support/readme.js';

const read = (...path: string[]): string => readFileSync(join(projectRoot, ...path), 'utf8');
const found = (pattern: RegExp, text = readme): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];
/** From a heading to the next one of its kind. */
function chapter(title: string): string {
  const start = readme.indexOf(`\n## ${title}\n`);
  expect(start, title).to.be.greaterThan(0);
  const end = readme.indexOf('\n## ', start + 1);
  return readme.slice(start, end === -1 ? undefined : end);
}

describe('README', () => {
  it('says of every dependency why it is there', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    const words = new Set(chapter('Dependencies and why they are there').split(/[\s,|()]+/));
    expect(names.filter((name) => !words.has(name))).to.deep.equal([]);
  });

  it('names make targets that there are', () => {
    const targets = new Set(found(/^([a-z][a-z-]*):.*## /gm, read('Makefile')));
    const named = found(/(?:`|^|ADMIN_PORT=\d+ )make ([a-z][a-z-]*)/gm);
    expect(named).to.include.members(['run', 'test', 'tune', 'faults', 'migrate']);
    expect(named.filter((name) => !targets.has(name))).to.deep.equal([]);
  });

  it('names commands, with options, that the command line has', () => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const terminal = { environment: {}, directory: '/', stdout: nowhere, stderr: nowhere };
    const program = createProgram(createSession(terminal), terminal);
    const lines = readme.replaceAll('\\\n', ' ').match(/(?:^|[`( ])verdict (?!\(\))[a-z][^`\n|]*/gm) ?? [];
    expect(lines).to.have.length.of.at.least(30);
    const faults = lines.flatMap((line) => faultsOf(program, line.trim().replace(/^[`( ]*verdict /, '')));
    expect(faults).to.deep.equal([]);
  });

  it('names settings that there are', () => {
    const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
    /** Of make, MySQL, TiDB and the examples. */
    const others = /^(FAULT_SECONDS|AUTO_\w+|GET_LOCK|SKIP_LOCKED|AFTER_SYNC|FREE_FROM|API_KEY|OTEL_\w+)$/;
    const named = found(/\b([A-Z]+_[A-Z_]+[A-Z])\b/g);
    expect(named).to.include('TRUSTED_ISSUERS');
    expect(named.filter((name) => !known.has(name) && !others.test(name))).to.deep.equal([]);
  });

  it('names metrics that there are', () => {
    const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && /metrics/.test(name))
      .map((name) => read('src', name))
      .join('\n');
    const named = found(/\b(verdict_[a-z_]+?)(?:_bucket)?\b(?=[^a-z_])/g);
    expect(named).to.have.length.of.at.least(8);
    expect(named.filter((name) => !sources.includes(`'${name}'`))).to.deep.equal([]);
  });

  it('says of every error code what to do, with its status', () => {
    const rows = chapter('Guide for callers')
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

  it('names files and chapters that there are', () => {
    const paths = found(/`((?:src|workers|db|test|deploy)\/[\w./-]*)`/g);
    expect(paths).to.include('deploy/kubernetes.yaml');
    expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).to.deep.equal([]);
    const anchors = new Set(
      found(/^#+ (.*)$/gm).map((title) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    expect(found(/\]\(#([^)]+)\)/g).filter((anchor) => !anchors.has(anchor))).to.deep.equal([]);
  });

  it('has the limits that hold', () => {
    const limits = chapter('Limits').replaceAll(/[|*`]/g, '');
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
      `a model has at most ${importLimits.fileBytes / mebi} MiB and ${importLimits.jsonDepth} levels`,
      `an import ${number(importLimits.files)} files and ${importLimits.totalBytes / mebi} MiB`,
      `reaches at most ${number(maxReach)} others`,
    ];
    const plain = limits.replaceAll(/[ \n]+/g, ' ');
    expect(expected.filter((text) => !plain.includes(text.replaceAll(/ +/g, ' ')))).to.deep.equal([]);
  });
});

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
