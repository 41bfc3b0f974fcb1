import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { examples } from './arguments.js';
import { packageFolder } from './packageFolder.js';
import { printableLines } from './printable.js';
import type { OwnedSession, Session, Terminal } from './session.js';

type Register = (program: Command, session: Session) => void;

/** What adds each command, in the order of --help. */
const commands: Readonly<Record<string, () => Promise<Register>>> = {
  // By HTTP.
  login: async () => (await import('./remote/login.js')).registerLogin,
  pull: async () => (await import('./remote/folder/pull.js')).registerPull,
  push: async () => (await import('./remote/folder/push.js')).registerPush,
  decision: async () => (await import('./decision.js')).registerDecision,
  table: async () => (await import('./remote/sheets/table.js')).registerTable,
  tests: async () => (await import('./remote/sheets/tests.js')).registerTests,
  environment: async () => (await import('./remote/environment.js')).registerEnvironment,
  deployment: async () => (await import('./remote/deployment.js')).registerDeployment,
  change: async () => (await import('./remote/change.js')).registerChange,
  variable: async () => (await import('./remote/variable.js')).registerVariable,
  execution: async () => (await import('./execution.js')).registerExecution,
  evidence: async () => (await import('./evidence.js')).registerEvidence,
  batch: async () => (await import('./remote/batch/batch.js')).registerBatch,
  replay: async () => (await import('./remote/replay.js')).registerReplay,
  shadow: async () => (await import('./remote/shadow.js')).registerShadow,
  // By HTTP, or on the database.
  workspace: async () => (await import('./workspace.js')).registerWorkspace,
  client: async () => (await import('./client.js')).registerClient,
  policy: async () => (await import('./policy.js')).registerPolicy,
  inquiry: async () => (await import('./inquiry.js')).registerInquiry,
  // On the database.
  tenant: async () => (await import('./tenant.js')).registerTenant,
  key: async () => (await import('./key.js')).registerKey,
  encryption: async () => (await import('./encryption.js')).registerEncryption,
  outbox: async () => (await import('./outbox.js')).registerOutbox,
  audit: async () => (await import('./audit.js')).registerAudit,
  measures: async () => (await import('./measures.js')).registerMeasures,
};

const { version } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as {
  version: string;
};

/**
 * The command line, as far as these arguments need it: all commands together load most of the server. Parsing throws
 * `CommanderError` instead of ending the process.
 */
export async function createProgram(
  session: OwnedSession,
  terminal: Terminal,
  args: readonly string[] = [],
): Promise<Command> {
  const program = new Command('verdict')
    .description(
      'Writes, checks, compares and deploys decisions of a Verdict server, by HTTP; tenants, clients, policies, inquiries ' +
        'and pruning are for operators, on its database. Exit codes: 0 done, 1 refused or failed, 2 wrong usage, ' +
        '3 nothing changed, 4 not signed in.',
    )
    .version(version, '--version')
    // Else `--version` of a command would be taken for the one above.
    .enablePositionalOptions()
    .showHelpAfterError('Add --help for usage and examples.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(printableLines(text)),
      writeErr: (text) => void terminal.stderr.write(printableLines(text)),
    })
    .hook('preAction', (_root, command) => session.setJson(command.optsWithGlobals<{ json?: boolean }>().json === true))
    .addHelpText(
      'after',
      examples(
        'login --url https://verdict.example --client-id 0190…',
        'push models --save',
        'client create --tenant T --name ci --scopes "execution:write" --workspace W --json',
      ),
    );
  const registers = await Promise.all(neededFor(args).map((load) => load()));
  for (const register of registers) register(program, session);
  addJson(program);
  return program;
}

/** What adds the command that is named; else all, for --help and what is said of a wrong line. */
function neededFor(args: readonly string[]): readonly (() => Promise<Register>)[] {
  const name = args.find((arg) => !arg.startsWith('-'));
  if (name === undefined && args.includes('--version')) return [];
  const named = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  return named === undefined ? Object.values(commands) : [named];
}

/** Every command has the option, at whatever place of the line it stands. */
function addJson(command: Command): void {
  command.option('--json', 'print one JSON document instead of a table');
  for (const each of command.commands) addJson(each);
}
