import type { Command } from 'commander';
import {
  isVariableName,
  listVariables,
  maxValueLength,
  setVariable,
  unsetVariable,
} from '../environments/variables.store.js';
import { examples } from './arguments.js';
import { Refusal, UsageError } from './failures.js';
import { withEnvironmentOptions, environmentOf, type EnvironmentOptions } from './environmentOptions.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

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
          variables.map(({ name, value, secret, updatedAt }) => [
            name,
            secret ? hidden : JSON.stringify(value),
            updatedAt,
          ]),
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
    .argument('<value>', 'JSON where it parses as such, else a text; put -- before it when it begins with -')
    .option('--secret', 'never show the value again, and take it out of traces, errors, records and logs')
    .addHelpText(
      'after',
      examples(
        'variable set --workspace 0190… --environment 0190… FREE_FROM 50',
        `variable set --workspace 0190… --environment 0190… RATES '{"EUR": 1.08}'`,
        'variable set --workspace 0190… --environment 0190… API_KEY s3cr3t --secret',
      ),
    )
    .action(
      async (name: string, text: string, { secret = false, ...place }: EnvironmentOptions & { secret?: boolean }) => {
        const value = parseValue(text);
        await setVariable(session.stores(), environmentOf(place), {
          name,
          value,
          secret,
        });
        const shown = secret ? null : value;
        session.print({ name, value: shown, secret }, () =>
          record({ name, value: secret ? hidden : JSON.stringify(value) }),
        );
      },
    );
}

function checkedName(name: string): string {
  if (!isVariableName(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} is no name of a variable; it is a letter or _, then letters, digits and _.`,
    );
  }
  return name;
}

function parseValue(text: string): unknown {
  if (text.length > maxValueLength) throw new Refusal(`the value is longer than ${maxValueLength} characters.`);
  try {
    return JSON.parse(text, (_name, item: unknown) => {
      if (item === Infinity || item === -Infinity)
        throw new Refusal('a number in the value is beyond the range of a double.');
      return item;
    }) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error instanceof RangeError ? new Refusal('the value nests too deeply.') : error;
  }
}
