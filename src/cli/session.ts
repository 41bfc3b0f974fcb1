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

export interface Terminal {
  readonly environment: EnvironmentVariables;
  readonly directory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** What a command works with, opened and loaded when first asked for: one by HTTP starts in half the time. */
export interface Session {
  config(): Config;
  limits(): RunLimits;
  database(): Promise<Knex>;
  stores(): Promise<OperatorStores>;
  /** Where relative paths start. */
  readonly directory: string;
  readonly json: boolean;
  readInput(): Promise<Buffer>;
  note(line: string): void;
  progress(label: string, total: number): Progress;
  during<T>(label: string, total: number, work: (advance: (steps?: number) => void) => Promise<T>): Promise<T>;
  readonly environment: EnvironmentVariables;
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

export interface OwnedSession extends Session {
  readonly exit: ExitCode;
  setJson(json: boolean): void;
  print(text: string): void;
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
