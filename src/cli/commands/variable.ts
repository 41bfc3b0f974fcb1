import type { Variable } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { formatJson } from '../../../workers/json/index.js';
import { isVariableName } from '../../environments/variableRules.js';
import { command, list, type CommandGroup } from '../command.js';
import { Refusal, UsageError } from '../failures.js';
import { flag, parsed, required, text } from '../params.js';
import { environmentId } from '../remote/named.js';
import { parseValue, readValue } from '../remote/variableValue.js';
import { record } from '../tableOf.js';

const hidden = '(secret)';
const shownValue = ({ value, secret, unreadable }: Variable): string =>
  unreadable ? '(no key decrypts it: set it again, or unset it)' : secret ? hidden : formatJson(value);

const of = { id: required(environmentId('--environment <environment>', 'the environment; name or id')) };

function checkedName(name: string): string {
  if (isVariableName(name)) return name;
  throw new UsageError("a variable's name is a letter or _, then letters, digits and _; at most 128.");
}

export const variableCommands: CommandGroup = {
  groups: { variable: "an environment's variables: $env in models" },
  commands: [
    command({
      name: 'variable set',
      about: 'set a variable; runs see it within a second',
      examples: [
        'variable set --environment 0190… FREE_FROM 50',
        `variable set --environment 0190… RATES '{"EUR": 1.08}'`,
        'variable set --environment 0190… API_KEY s3cr3t --secret',
        'variable set --environment 0190… SIGNING_KEY --secret --from-file key.pem',
        'variable set --environment 0190… API_KEY - --secret < key.txt',
      ],
      // A value may be a private key (`-----BEGIN`).
      secretArgument: true,
      args: {
        name: parsed('<name>', 'a letter or _, then letters, digits and _; at most 128', checkedName),
        argument: text('[value]', 'JSON where it parses as such, else a text; - for standard input'),
      },
      options: {
        ...of,
        file: text('--from-file <file>', 'take the value from a file'),
        secret: flag(
          '--secret',
          'never show the value again, and take it out of traces, errors, records and logs; it is a text, with --json JSON',
        ),
      },
      async run({ session, ask }, { name, id, argument, file, secret = false }) {
        const kind = secret ? (session.json ? 'secretJson' : 'secret') : 'plain';
        const value = parseValue(await readValue(session, { argument, file }), kind);
        await ask(operations.setVariable, { id, name, value, secret });
        return { name, value: secret ? null : value, secret };
      },
      text: ({ name, value, secret }) => record({ name, value: secret ? hidden : formatJson(value) }),
    }),
    list({
      name: 'variable list',
      about: 'list them by name; secret values are not shown',
      examples: ['variable list --environment 0190…'],
      options: of,
      operation: operations.listVariables,
      as: 'variables',
      columns: { name: 'name', value: shownValue, updated: 'updatedAt' },
    }),
    command({
      name: 'variable unset',
      about: 'remove a variable',
      examples: ['variable unset --environment 0190… FREE_FROM'],
      args: { name: parsed('<name>', 'its name', checkedName) },
      options: of,
      async run({ ask, all }, { name, id }) {
        const present = await all(operations.listVariables, { id });
        if (!present.some((each) => each.name === name)) {
          throw new Refusal(`the environment has no variable ${name}. See: verdict variable list`);
        }
        await ask(operations.deleteVariable, { id, name });
        return { name, removed: true };
      },
      text: ({ name }) => `${name} is removed`,
    }),
  ],
};
