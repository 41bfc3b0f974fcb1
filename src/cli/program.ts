import { Argument, Command as Program, Option } from 'commander';
import type { Call, Command, CommandGroup, Where } from './command.js';
import { version } from '../version.js';
import { UsageError } from './failures.js';
import { withMeant } from './withMeant.js';
import { id, InvalidArgumentError, parsed, text as textParam, type Param, type Params } from './params.js';
import { printableJson, printableLines } from './printable.js';
import { operationsOfTenant } from './operationsOfTenant.js';
import { createAsking } from './remote/ask.js';
import { parseUrl, valueOf, type ConnectionOptions } from './remote/connection.js';
import type { EnvironmentVariables } from './settings.js';
import type { OwnedSession, Terminal } from './session.js';

const folder = async (): Promise<CommandGroup> => (await import('./commands/folder.js')).folderCommands;
const login = async (): Promise<CommandGroup> => (await import('./commands/login.js')).loginCommands;
const sheets = () => import('./commands/sheets.js');
const keys = () => import('./commands/keys.js');

/** The commands by their first words, in the order of --help. */
const groups: Readonly<Record<string, () => Promise<CommandGroup>>> = {
  // By HTTP.
  ...{ login, logout: login, whoami: login },
  ...{ pull: folder, push: folder, diff: folder },
  decision: async () => (await import('./commands/decision.js')).decisionCommands,
  table: async () => (await sheets()).tableCommands,
  tests: async () => (await sheets()).testsCommands,
  environment: async () => (await import('./commands/environment.js')).environmentCommands,
  deployment: async () => (await import('./commands/deployment.js')).deploymentCommands,
  change: async () => (await import('./commands/change.js')).changeCommands,
  variable: async () => (await import('./commands/variable.js')).variableCommands,
  callback: async () => (await import('./commands/callback.js')).callbackCommands,
  execution: async () => (await import('./commands/execution.js')).executionCommands,
  erasure: async () => (await import('./commands/erasure.js')).erasureCommands,
  evidence: async () => (await import('./commands/evidence.js')).evidenceCommands,
  batch: async () => (await import('./commands/batch.js')).batchCommands,
  replay: async () => (await import('./commands/replay.js')).replayCommands,
  shadow: async () => (await import('./commands/shadow.js')).shadowCommands,
  monitor: async () => (await import('./commands/monitor.js')).monitorCommands,
  // By HTTP, or on the database.
  workspace: async () => (await import('./commands/workspace.js')).workspaceCommands,
  client: async () => (await import('./commands/client.js')).clientCommands,
  policy: async () => (await import('./commands/policy.js')).policyCommands,
  inquiry: async () => (await import('./commands/inquiry.js')).inquiryCommands,
  // On the database.
  tenant: async () => (await import('./commands/tenant.js')).tenantCommands,
  key: async () => (await keys()).keyCommands,
  encryption: async () => (await keys()).encryptionCommands,
  outbox: async () => (await import('./commands/outbox.js')).outboxCommands,
  audit: async () => (await import('./commands/audit.js')).auditCommands,
  measures: async () => (await import('./commands/measures.js')).measureCommands,
};

const workspace = id('--workspace <id>', "the workspace; else VERDICT_WORKSPACE, or the profile's");
const server = {
  profile: textParam('--profile <name>', 'the profile to use, of those that login has made'),
  url: parsed('--url <url>', "the server; else VERDICT_URL, or the profile's", parseUrl),
  clientId: textParam('--client-id <id>', "the client; else VERDICT_CLIENT_ID, or the profile's"),
};

/** The options that say which server, client and workspace are meant, of commands that work there. */
const flagsOf = (where: Where): Params =>
  where === 'here' ? {} : where === 'tenant' ? server : { workspace, ...server };

/**
 * The command line, as far as these arguments need it: all commands together load most of the server. Parsing throws
 * `CommanderError` instead of ending the process.
 */
export async function createProgram(
  session: OwnedSession,
  terminal: Terminal,
  args: readonly string[] = [],
): Promise<Program> {
  const program = new Program('verdict')
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
      outputError: (text, write) => write(withMeant(text, namesIn(program))),
    })
    .hook('preAction', (_root, command) => session.setJson(command.optsWithGlobals<{ json?: boolean }>().json === true))
    .addHelpText(
      'after',
      examples([
        'login --url https://verdict.example --client-id 0190…',
        'push models --save',
        'client create --tenant T --name ci --scopes "execution:write" --workspace W --json',
      ]),
    );
  for (const { commands, groups } of new Set(await Promise.all(neededFor(args).map((load) => load()))))
    for (const command of commands) addCommand(program, { command, groups, session });
  addJson(program);
  return program;
}

/** The names of all commands that are loaded, and the first words of the others. */
const namesIn = (program: Program): readonly string[] => {
  const below = (command: Program, words: string): string[] =>
    command.commands.length === 0
      ? [words]
      : command.commands.flatMap((each) =>
          [each.name(), ...each.aliases()].flatMap((name) => below(each, `${words} ${name}`.trimStart())),
        );
  return [...new Set([...below(program, ''), ...Object.keys(groups)])];
};

/** The group of the command that is named; else all, for --help and what is said of a wrong line. */
function neededFor(args: readonly string[]): readonly (() => Promise<CommandGroup>)[] {
  const name = args.find((arg) => !arg.startsWith('-'));
  if (name === undefined && args.includes('--version')) return [];
  const named = name !== undefined && Object.hasOwn(groups, name) ? groups[name] : undefined;
  return named === undefined ? Object.values(groups) : [named];
}

interface Added extends Pick<CommandGroup, 'groups'> {
  readonly command: Command;
  readonly session: OwnedSession;
}

function addCommand(program: Program, { command, groups, session }: Added): void {
  const words = command.name.split(' ');
  const last = words.pop() ?? '';
  let parent = program;
  words.forEach((word, index) => {
    const present = parent.commands.find((each) => each.name() === word);
    const about = groups[words.slice(0, index + 1).join(' ')] ?? '';
    parent = present ?? parent.command(word).description(about);
  });
  const added = parent.command(last).description(command.about);
  if (command.alias !== undefined) added.alias(command.alias);
  for (const param of Object.values(command.args)) added.addArgument(argumentOf(param));
  const flags = flagsOf(command.where);
  for (const option of [...Object.values(flags), ...Object.values(command.options)])
    added.addOption(optionOf(option, session.environment));
  if (command.file !== undefined) added.option('--csv', 'print a .csv file of them all in place of a table');
  if (command.secretArgument) {
    added.allowUnknownOption().configureOutput({
      outputError: (text, write) => write(text.replace(/ argument '[^]*' is invalid\./, ' is invalid.')),
    });
  }
  added.addHelpText('after', examples(command.examples));
  added.action(async (...given: unknown[]) => {
    const values = given.at(-2) as Readonly<Record<string, unknown>>;
    const optionIn = ({ flags }: Param<unknown>): unknown => values[new Option(flags).attributeName()];
    const input = {
      ...Object.fromEntries(Object.keys(command.args).map((name, index) => [name, given[index]])),
      ...Object.fromEntries(Object.entries(command.options).map(([name, option]) => [name, optionIn(option)])),
    };
    const chosen = Object.entries(flags).map(([name, option]) => [name, optionIn(option)] as const);
    const connection = Object.fromEntries(chosen.filter(([, value]) => value !== undefined));
    await run(session, command, { input, connection, csv: values['csv'] === true });
  });
}

interface Line {
  readonly input: Readonly<Record<string, unknown>>;
  readonly connection: ConnectionOptions;
  /** --csv was given. */
  readonly csv: boolean;
}

async function run(session: OwnedSession, command: Command, { input, connection, csv }: Line): Promise<void> {
  let found: Call['service'] | undefined;
  const service = (): Call['service'] => (found ??= session.service(connection));
  let asked: ReturnType<Call['operations']> | undefined;
  const tenant = typeof input['tenant'] === 'string' ? input['tenant'] : undefined;
  const operations: Call['operations'] = async () =>
    command.where === 'tenant' ? (asked ??= operationsOfTenant(session, connection, tenant)) : service();
  const call: Call = {
    session,
    connection,
    get service() {
      return service();
    },
    operations,
    ...createAsking(operations, { ...command.args, ...command.options }),
  };
  if (csv && command.file !== undefined) {
    if (session.json) throw new UsageError('say either --json or --csv.');
    return session.printFile(await command.file(call, input as never));
  }
  // The parser has made it what the command declares.
  const { document, text, end } = await command.run(call, input as never);
  session.print(session.json ? printableJson(document) : printableLines(await text()));
  const exit = end();
  if (exit !== undefined) session.endWith(exit);
}

const argumentOf = ({ flags, about, parse }: Param<unknown>): Argument => {
  const argument = new Argument(flags, about);
  return parse === undefined ? argument : argument.argParser(parse);
};

/** Undefined for a text that is none of its parameter: then the option must be given. */
function readable(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}

function optionOf(
  { flags, about, parse, choices, required, fallback, variable }: Param<unknown>,
  environment: EnvironmentVariables,
): Option {
  const option = new Option(flags, about);
  if (parse !== undefined) option.argParser(parse);
  if (choices !== undefined) option.choices(choices);
  if (fallback !== undefined) option.default(fallback);
  const said = variable === undefined ? undefined : valueOf(environment, variable);
  if (said !== undefined && parse !== undefined) option.default(readable(() => parse(said, undefined)));
  return option.makeOptionMandatory(required === true);
}

/** The Examples part of --help; every line is what follows `verdict`. */
const examples = (lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ verdict ${line}`).join('\n')}`;

/** Every command has the option, at whatever place of the line it stands. */
function addJson(command: Program): void {
  command.option('--json', 'print one JSON document instead of a table');
  for (const each of command.commands) addJson(each);
}
