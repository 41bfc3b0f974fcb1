import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { examples } from './arguments.js';
import { registerAudit } from './audit.js';
import { registerClient } from './client.js';
import { registerDecision } from './decision.js';
import { registerEncryption } from './encryption.js';
import { registerExecution } from './execution.js';
import { registerInquiry } from './inquiry.js';
import { registerKey } from './key.js';
import { registerOutbox } from './outbox.js';
import { registerPolicy } from './policy.js';
import { printableLines } from './printable.js';
import { registerBatch } from './remote/batch/batch.js';
import { registerDeployment } from './remote/deployment.js';
import { registerEnvironment } from './remote/environment.js';
import { registerPull } from './remote/folder/pull.js';
import { registerPush } from './remote/folder/push.js';
import { registerLogin } from './remote/login.js';
import { registerReplay } from './remote/replay.js';
import { registerShadow } from './remote/shadow.js';
import { registerVariable } from './remote/variable.js';
import type { OwnedSession, Session, Terminal } from './session.js';
import { registerTenant } from './tenant.js';
import { registerWorkspace } from './workspace.js';

type Register = (program: Command, session: Session) => void;

/** What works by HTTP, in the order of --help. */
const remote: readonly Register[] = [
  registerLogin,
  registerPull,
  registerPush,
  registerDecision,
  registerEnvironment,
  registerDeployment,
  registerVariable,
  registerExecution,
  registerBatch,
  registerReplay,
  registerShadow,
];

/** What works on the database. */
const local: readonly Register[] = [
  registerTenant,
  registerWorkspace,
  registerClient,
  registerKey,
  registerEncryption,
  registerPolicy,
  registerInquiry,
  registerOutbox,
  registerAudit,
];

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The whole command line. Parsing throws `CommanderError` instead of ending the process. */
export function createProgram(session: OwnedSession, terminal: Terminal): Command {
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
  for (const register of [...remote, ...local]) register(program, session);
  addJson(program);
  return program;
}

/** Every command has the option, at whatever place of the line it stands. */
function addJson(command: Command): void {
  command.option('--json', 'print one JSON document instead of a table');
  for (const each of command.commands) addJson(each);
}
