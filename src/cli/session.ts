import { buffer } from 'node:stream/consumers';
import type { Readable, Writable } from 'node:stream';
import type { Knex } from 'knex';
import type { RunLimits } from '../../workers/protocol.js';
import type { Giver } from '../access/giving.js';
import { operator, type Actor } from '../audit/actor.js';
import { readConfig, readLimits, type Config } from '../config/config.js';
import { createEncryption, type Encryption } from '../storage/encryption.js';
import { exitCodes, type ExitCode } from './failures.js';
import { openProgress, type Progress } from './progress.js';
import { printable, printableLines } from './printable.js';
import { findConnection, type ConnectionOptions } from './remote/connection.js';
import { readSecret } from './remote/secretPrompt.js';
import { createService, type FilePieces, type Service } from './remote/service.js';
import { settingsFor, type EnvironmentVariables } from './settings.js';

/** The process's environment and streams. */
export interface Terminal {
  readonly environment: EnvironmentVariables;
  readonly directory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/**
 * What a command works with. Configuration, database and key are opened when first asked for, and closed at the end; what
 * speaks to the database is loaded then, too: a command by HTTP starts in half of the time.
 */
export interface Session {
  config(): Config;
  /** What runs may not exceed; needs no database. */
  limits(): RunLimits;
  database(): Promise<Knex>;
  /** The database, the key of what is encrypted in it, and who writes there. */
  stores(): Promise<OperatorStores>;
  /** Where relative paths start. */
  readonly directory: string;
  /** --json was given. */
  readonly json: boolean;
  /** All of standard input. */
  readInput(): Promise<Buffer>;
  /** A line for the person, on standard error. */
  note(line: string): void;
  /** A progress bar on standard error; draws nothing where that is no terminal. */
  progress(label: string, total: number): Progress;
  /** The same while this is done, which says how much more of it is. */
  during<T>(label: string, total: number, work: (advance: (steps?: number) => void) => Promise<T>): Promise<T>;
  /** The variables of the process. */
  readonly environment: EnvironmentVariables;
  /** The service to work on, by HTTP. @throws NotSignedIn where there is none */
  service(options: ConnectionOptions): Service;
  /** A text that whoever sits at the terminal types without seeing it; all of standard input where there is no terminal. */
  readSecret(prompt: string): Promise<string>;
}

export interface OperatorStores {
  readonly database: Knex;
  readonly encryption: Encryption;
  readonly actor: Actor;
  readonly giver: Giver;
}

/** The part of a session that only `runCli` uses. */
export interface OwnedSession extends Session {
  readonly exit: ExitCode;
  setJson(json: boolean): void;
  /** The command's result. Once a command. */
  print(text: string): void;
  /** The same of a file, in pieces that are read as they are taken. */
  printFile(pieces: FilePieces): Promise<void>;
  /** How the command ends that has printed its result, where it is not `done`: a failed test is refused. */
  endWith(exit: ExitCode): void;
  /** Host, port and name, without user and password; for messages. */
  databaseAddress(): string;
  close(): Promise<void>;
}

/** Commands are short and mostly sequential; the server's own pool size would only waste connections. */
const poolSize = 5;

export function createSession(terminal: Terminal): OwnedSession {
  let config: Config | undefined;
  let database: Knex | undefined;
  let encryption: Encryption | undefined;
  let json = false;
  let exit: ExitCode = exitCodes.done;

  const getConfig = (): Config => (config ??= readConfig(settingsFor(terminal.environment)));
  const getDatabase = async (): Promise<Knex> => {
    const { databaseUrl, databaseTimeoutMs } = getConfig();
    const { openDatabase } = await import('../storage/database.js');
    return (database ??= openDatabase(databaseUrl, { poolSize, acquireTimeoutMs: databaseTimeoutMs }));
  };

  return {
    config: getConfig,
    limits: () => readLimits(terminal.environment),
    database: getDatabase,
    stores: async () => ({
      database: await getDatabase(),
      encryption: (encryption ??= createEncryption(getConfig().encryptionKey, getConfig().encryptionKeysPrevious)),
      actor: operator(),
      giver: { kind: 'operator' },
    }),
    directory: terminal.directory,
    get json() {
      return json;
    },
    readInput: () => buffer(terminal.stdin),
    print(text) {
      if (text !== '') terminal.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    async printFile(pieces) {
      const { stdout } = terminal;
      for await (const piece of pieces) {
        // Whoever reads may have gone (`| head`).
        if (stdout.destroyed) return;
        if (!stdout.write(piece)) await taken(stdout);
      }
    },
    note: (line) => void terminal.stderr.write(`${printableLines(line)}\n`),
    progress: (label, total) => openProgress(terminal.stderr, printable(label), total),
    async during(label, total, work) {
      const progress = openProgress(terminal.stderr, printable(label), total);
      try {
        return await work((steps) => progress.advance(steps));
      } finally {
        progress.end();
      }
    },
    environment: terminal.environment,
    service: (options) => createService(findConnection(options, terminal.environment)),
    readSecret: (prompt) => readSecret(terminal, prompt),
    endWith: (wanted) => void (exit = wanted),
    get exit() {
      return exit;
    },
    setJson: (wanted) => void (json = wanted),
    databaseAddress() {
      if (config === undefined) return 'DATABASE_URL';
      const { host, pathname } = new URL(config.databaseUrl);
      return `${host}${pathname}`;
    },
    async close() {
      await database?.destroy();
    },
  };
}

/** Resolves when more may be written, or nobody reads any more. */
function taken(stdout: Writable): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'close', 'error'] as const;
    const over = (): void => {
      for (const event of events) stdout.off(event, over);
      resolve();
    };
    for (const event of events) stdout.on(event, over);
  });
}
