import type { Command } from 'commander';
import { isVariableName, listVariables, setVariable, unsetVariable } from '../environments/variables.store.js';
import { formatJson } from '../../workers/models/index.js';
import { examples } from './arguments.js';
import { Refusal, UsageError } from './failures.js';
import { withEnvironmentOptions, environmentOf, type EnvironmentOptions } from './environmentOptions.js';
import type { Session } from './session.js';
import { record, table } from './table.js';
import { parseValue, readValue } from './variableValue.js';

const hidden = '(secret)';

/** `verdict variable …` */
export function registerVariable(program: Command, session: Session): void {
  const variable = program.command('variable').description("an environment's variables: $env in models");
  registerSet(variable, session);
  withEnvironmentOptions(variable.command('list'))
    .description('list them by name; secret values are not shown')
    .addHelpText('after', examples('variable list --workspace 0190… --environment 0190…'))
    .action(async (place: EnvironmentOptions) => {
      const stored = await listVariables(session.stores(), environmentOf(place));
      const variables = stored.map(({ name, value, secret, updatedAt }) => ({
        name,
        value: secret ? null : value,
        secret,
        updatedAt,
      }));
      session.print({ variables }, () =>
        table(
          ['name', 'value', 'updated'],
          variables.map(({ name, value, secret, updatedAt }) => [name, secret ? hidden : formatJson(value), updatedAt]),
        ),
      );
    });
  withEnvironmentOptions(variable.command('unset'))
    .description('remove a variable')
    .argument('<name>', 'its name', checkedName)
    .addHelpText('after', examples('variable unset --workspace 0190… --environment 0190… FREE_FROM'))
    .action(async (name: string, place: EnvironmentOptions) => {
      if ((await unsetVariable(session.stores(), environmentOf(place), name)) === null) {
        throw new Refusal(`the environment has no variable ${name}. See: verdict variable list`);
      }
      session.print({ name, removed: true }, () => `${name} is removed`);
    });
}

function registerSet(variable: Command, session: Session): void {
  withEnvironmentOptions(variable.command('set'))
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
        'variable set --workspace 0190… --environment 0190… FREE_FROM 50',
        `variable set --workspace 0190… --environment 0190… RATES '{"EUR": 1.08}'`,
        'variable set --workspace 0190… --environment 0190… API_KEY s3cr3t --secret',
        'variable set --workspace 0190… --environment 0190… SIGNING_KEY --secret --from-file key.pem',
        'variable set --workspace 0190… --environment 0190… API_KEY - --secret < key.txt',
      ),
    )
    .action((name: string, argument: string | undefined, options: SetOptions) => set(session, name, argument, options));
}

interface SetOptions extends EnvironmentOptions {
  readonly secret?: boolean;
  readonly fromFile?: string;
}

async function set(
  session: Session,
  name: string,
  argument: string | undefined,
  { secret = false, fromFile, ...place }: SetOptions,
): Promise<void> {
  const text = await readValue(session, { argument, file: fromFile });
  const kind = secret ? (session.json ? 'secretJson' : 'secret') : 'plain';
  const value = parseValue(text, kind);
  await setVariable(session.stores(), environmentOf(place), { name, value, secret });
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
