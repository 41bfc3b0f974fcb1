import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { examples } from './arguments.js';
import { registerAudit } from './audit.js';
import { registerClient } from './client.js';
import { registerDecision } from './decision.js';
import { registerEncryption } from './encryption.js';
import { registerEnvironment } from './environment.js';
import { registerExecution } from './execution.js';
import { registerInquiry } from './inquiry.js';
import { registerKey } from './key.js';
import { registerOutbox } from './outbox.js';
import { registerPolicy } from './policy.js';
import { printableLines } from './printable.js';
import type { OwnedSession, Session, Terminal } from './session.js';
import { registerTenant } from './tenant.js';
import { registerVariable } from './variable.js';
import { registerWorkspace } from './workspace.js';

/** Every resource of the command line, in the order of --help. */
const resources: readonly ((program: Command, session: Session) => void)[] = [
  registerTenant,
  registerWorkspace,
  registerClient,
  registerKey,
  registerEncryption,
  registerPolicy,
  registerDecision,
  registerEnvironment,
  registerVariable,
  registerExecution,
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
      'Works on the store of a Verdict server: tenants, clients, decisions, variables, executions, inquiries.',
    )
    .version(version, '--version')
    .option('--json', 'print one JSON document instead of a table')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for usage and examples.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(printableLines(text)),
      writeErr: (text) => void terminal.stderr.write(printableLines(text)),
    })
    .hook('preAction', (root) => session.setJson(root.opts<{ json?: boolean }>().json === true))
    .addHelpText(
      'after',
      examples(
        'decision import models --workspace W --save',
        'client create --tenant T --name ci --scopes "execution:write" --workspace W --json',
      ),
    );
  for (const register of resources) register(program, session);
  return program;
}
