import type { Command } from 'commander';
import { isVariableName } from '../../environments/variables.store.js';
import { formatJson } from '../../../workers/json/index.js';
import { examples } from '../arguments.js';
import { Refusal, UsageError } from '../failures.js';
import type { Session } from '../session.js';
import { record, table } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { environmentIdOf, requiredEnvironment } from './find.js';
import type { Variable } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { parseValue, readValue } from './variableValue.js';

const hidden = '(secret)';
const shownValue = ({ value, secret, unreadable }: Variable): string =>
  unreadable ? '(no key decrypts it: set it again, or unset it)' : secret ? hidden : formatJson(value);

interface Options extends ConnectionOptions {
  readonly environment: string;
}

const ofEnvironment = (command: Command): Command =>
  withConnection(command).addOption(requiredEnvironment('the environment'));

/** `verdict variable …` */
export function registerVariable(program: Command, session: Session): void {
  const variable = program.command('variable').description("an environment's variables: $env in models");
  registerSet(variable, session);
  ofEnvironment(variable.command('list'))
    .description('list them by name; secret values are not shown')
    .addHelpText('after', examples('variable list --environment 0190…'))
    .action(async ({ environment, ...options }: Options) => {
      const service = session.service(options);
      const id = await environmentIdOf(service, environment);
      const variables = await service.all(operations.listVariables, { params: { id } });
      session.print({ variables }, () =>
        table(
          ['name', 'value', 'updated'],
          variables.map((each) => [each.name, shownValue(each), each.updatedAt]),
        ),
      );
    });
  ofEnvironment(variable.command('unset'))
    .description('remove a variable')
    .argument('<name>', 'its name', checkedName)
    .addHelpText('after', examples('variable unset --environment 0190… FREE_FROM'))
    .action(async (name: string, { environment, ...options }: Options) => {
      const service = session.service(options);
      const id = await environmentIdOf(service, environment);
      const present = await service.all(operations.listVariables, { params: { id } });
      if (!present.some((each) => each.name === name)) {
        throw new Refusal(`the environment has no variable ${name}. See: verdict variable list`);
      }
      await service.send(operations.deleteVariable, { params: { id, name } });
      session.print({ name, removed: true }, () => `${name} is removed`);
    });
}

function registerSet(variable: Command, session: Session): void {
  ofEnvironment(variable.command('set'))
    .description('set a variable; runs see it within a second')
    .argument('<name>', 'a letter or _, then letters, digits and _; at most 128', checkedName)
    .argument('[value]', 'JSON where it parses as such, else a text; - for standard input')
    .option('--from-file <file>', 'take the value from a file')
    .option(
      '--secret',
      'never show the value again, and take it out of traces, errors, records and logs; it is a text, with --json JSON',
    )
    // A value may begin with dashes, such as a private key (`-----BEGIN`).
    .allowUnknownOption()
    .configureOutput({
      // An argument may be a misplaced secret, so it is not repeated.
      outputError: (text, write) => write(text.replace(/ argument '[^]*' is invalid\./, ' is invalid.')),
    })
    .addHelpText(
      'after',
      examples(
        'variable set --environment 0190… FREE_FROM 50',
        `variable set --environment 0190… RATES '{"EUR": 1.08}'`,
        'variable set --environment 0190… API_KEY s3cr3t --secret',
        'variable set --environment 0190… SIGNING_KEY --secret --from-file key.pem',
        'variable set --environment 0190… API_KEY - --secret < key.txt',
      ),
    )
    .action((name: string, argument: string | undefined, options: SetOptions) => set(session, name, argument, options));
}

interface SetOptions extends Options {
  readonly secret?: boolean;
  readonly fromFile?: string;
}

async function set(
  session: Session,
  name: string,
  argument: string | undefined,
  { secret = false, fromFile, environment, ...options }: SetOptions,
): Promise<void> {
  const text = await readValue(session, { argument, file: fromFile });
  const kind = secret ? (session.json ? 'secretJson' : 'secret') : 'plain';
  const value = parseValue(text, kind);
  const body = formatJson({ value, secret });
  const service = session.service(options);
  const id = await environmentIdOf(service, environment);
  await service.send(operations.setVariable, { params: { id, name }, body });
  session.print({ name, value: secret ? null : value, secret }, () =>
    record({ name, value: secret ? hidden : JSON.stringify(value) }),
  );
}

function checkedName(name: string): string {
  if (!isVariableName(name)) {
    throw new UsageError("a variable's name is a letter or _, then letters, digits and _; at most 128.");
  }
  return name;
}
