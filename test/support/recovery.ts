import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';
import { toolsOf } from './mysqlRelease.js';
import { readShown, unrun } from './documents.js';
import { chosenMysql } from './fetched.js';
import { startService } from './service.js';
import { testEnvironment } from './settings.js';

/** MariaDB writes a binary log where it is told to; MySQL does by itself. */
const logging = ['--log-bin=binlog', '--server-id=1', '--binlog-format=ROW'];

/** How a script or a command of the page ended. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** What an operator has who recovers a service: servers, a folder, the scripts of deploy/recovery and their page. */
export interface Recovery {
  readonly folder: string;
  readonly backups: string;
  /** Settings of the service, of the database as its application sees it. */
  readonly settings: { readonly DATABASE_URL: string; readonly REDIS_URL: string; readonly EVIDENCE_HEADS: string };
  /** The same database, of somebody who may do all. */
  readonly administratorUrl: string;
  /** The folder of the server's own programs; undefined: the path has them. */
  readonly tools: string | undefined;
  run(script: string, args: readonly string[], changes?: Readonly<Record<string, string>>): Promise<Ended>;
  /**
   * Pastes the one command of deploy/recovery.md that has this text, after what the page sets before it.
   * @param values in place of what the page has for an example, beside its addresses and folders
   * @param changes of the environment
   */
  paste(
    text: string,
    values?: Readonly<Record<string, string>>,
    changes?: Readonly<Record<string, string>>,
  ): Promise<Ended>;
  /** Commands of the page that nobody has pasted. */
  left(): readonly string[];
  end(): Promise<void>;
}

/** @param release of MySQL; else what the run has */
export async function startRecovery(release?: string): Promise<Recovery> {
  const folder = mkdtempSync(join(tmpdir(), 'verdict-recovery-'));
  const accounts = join(folder, 'administrator.sql');
  writeFileSync(
    accounts,
    `CREATE USER 'administrator'@'127.0.0.1' IDENTIFIED BY 'p%q';\nGRANT ALL ON *.* TO 'administrator'@'127.0.0.1' WITH GRANT OPTION;\n`,
  );
  let started = logging;
  const mysql = await startService('mysql', () => started, release);
  started = [...logging, `--init-file=${accounts}`];
  await mysql.restart();
  const redis = await startService('redis');
  const chosen = await chosenMysql(() => undefined, release);
  const tools = chosen === undefined ? undefined : toolsOf(chosen);
  const account = { username: 'administrator', password: encodeURIComponent('p%q') };
  const administratorUrl = Object.assign(new URL(mysql.directUrl), account).href;
  const key = testEnvironment().ENCRYPTION_KEY ?? '';
  const backups = join(folder, 'backups');
  const settings = {
    ...{ DATABASE_URL: mysql.directUrl, REDIS_URL: redis.directUrl },
    EVIDENCE_HEADS: join(folder, 'heads'),
  };
  const own = {
    ...{ PATH: process.env['PATH'] ?? '', EVIDENCE_HEADS: settings.EVIDENCE_HEADS },
    ...(tools === undefined ? {} : { MYSQL_TOOLS: tools }),
  };
  const samples = readPage();
  const pasted = new Set<string>();
  return {
    ...{ folder, backups, settings, administratorUrl, tools },
    run: (script, args, changes) =>
      execute(join(projectRoot, 'deploy/recovery', `${script}.sh`), args, {
        ...{ ...own, DATABASE_URL: administratorUrl, ENCRYPTION_KEY: key },
        ...changes,
      }),
    paste(text, values = {}, changes = {}) {
      const [sample = '', ...others] = samples.filter((code) => isCommand(code) && code.includes(text));
      if (sample === '' || others.length > 0) throw new Error(`${others.length} other commands have ${text}`);
      pasted.add(sample);
      const before = samples.slice(0, samples.indexOf(sample)).filter((code) => !isCommand(code));
      const meant = Object.entries({
        'mysql://administrator:…@db.example:3306/verdict': administratorUrl,
        'redis://redis.example:6379': redis.directUrl,
        "ENCRYPTION_KEY='…'": `ENCRYPTION_KEY='${key}'`,
        '/var/backups/verdict': backups,
        ...values,
      }).reduce((code, [example, own]) => code.replaceAll(example, own), [...before, sample].join('\n'));
      return execute('bash', ['-c', meant], { ...own, ...changes });
    },
    left: () => samples.filter((code) => isCommand(code) && !pasted.has(code)),
    async end() {
      await mysql.end();
      await redis.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isCommand = (code: string): boolean => code.includes('deploy/recovery/');

function readPage(): readonly string[] {
  const text = readFileSync(join(projectRoot, 'deploy/recovery.md'), 'utf8');
  const [outside] = unrun(text);
  if (outside !== undefined) throw new Error(`deploy/recovery.md has a command outside its marks: ${outside}`);
  return readShown(text).map(({ code }) => code);
}

const execute = (program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(program, args, { env, cwd: projectRoot }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    );
  });
