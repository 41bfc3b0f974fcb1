import { InvalidArgumentError, type Command } from 'commander';
import type { WriteChange } from '../../changes/changes.schema.js';
import { isVariableName } from '../../environments/variables.store.js';
import { collect, examples } from '../arguments.js';
import { Refusal, UsageError } from '../failures.js';
import type { Session } from '../session.js';
import { shownRequest } from './changeText.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { environmentIdOf, findDecision, requiredEnvironment } from './find.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from './service.js';
import { parseValue, readValue } from './variableValue.js';

interface Deploy {
  readonly decision: string;
  readonly version: number | undefined;
}

interface Options extends ConnectionOptions {
  readonly environment: string;
  readonly title: string;
  readonly message?: string;
  readonly deploy?: readonly Deploy[];
  readonly variable?: readonly (readonly [name: string, value: string])[];
  readonly secret?: string;
  readonly unset?: readonly string[];
  readonly host?: readonly string[];
  readonly hosts: boolean;
}

/** `verdict change create` */
export function registerCreate(change: Command, session: Session): void {
  withConnection(change.command('create'))
    .description('ask for a change of a protected environment; its checks begin at once')
    .addOption(requiredEnvironment('where'))
    .requiredOption('--title <title>', 'what it is; 1 to 255 characters')
    .option('--message <text>', 'why')
    .option(
      '--deploy <decision[@version]>',
      'deploy a saved version, else the newest; repeatable',
      collect(parseDeploy),
    )
    .option(
      '--variable <name=value>',
      'set a variable: JSON where it parses as such; repeatable',
      collect(parseVariable),
    )
    .option('--secret <name>', 'set a secret variable, its value from standard input', parseName)
    .option('--unset <name>', 'remove a variable; repeatable', collect(parseName))
    .option('--host <host>', 'replace the hosts that function nodes may call by these; repeatable', collect(String))
    .option('--no-hosts', 'let function nodes call no host')
    .addHelpText(
      'after',
      examples(
        'change create --environment 0190… --title "Spring rates" --deploy shop/fees.json@4',
        'change create --environment 0190… --title "Free from 60" --variable FREE_FROM=60 --deploy shop/fees.json',
      ),
    )
    .action((options: Options) => create(session, options));
}

async function create(session: Session, options: Options): Promise<void> {
  const service = session.service(options);
  const { environment, title, message } = options;
  const environmentId = await environmentIdOf(service, environment);
  const changes = await changesOf(session, service, options);
  if (changes.length === 0) {
    throw new UsageError('name what is to change: --deploy, --variable, --secret, --unset, --host or --no-hosts.');
  }
  const body = JSON.stringify({ environmentId, title, ...(message === undefined ? {} : { message }), changes });
  const made = (await service.send(operations.createChangeRequest, { body })).body;
  const text = session.json ? '' : await shownRequest(service, made);
  session.print(made, () => text);
}

async function changesOf(session: Session, service: Service, options: Options): Promise<WriteChange[]> {
  const { deploy = [], variable = [], secret, unset = [], host, hosts } = options;
  const changes: WriteChange[] = [];
  for (const { decision, version } of deploy) {
    const { id, key, latestVersion } = await findDecision(service, decision);
    const wanted = version ?? latestVersion;
    if (wanted === null) {
      throw new Refusal(`${JSON.stringify(key)} has no saved version. Save one: verdict decision save`);
    }
    changes.push({ type: 'deploy', decisionId: id, version: wanted });
  }
  for (const [name, text] of variable) changes.push({ type: 'variable', name, value: parseValue(text, 'plain') });
  if (secret !== undefined) {
    const text = await readValue(session, { argument: '-', file: undefined });
    changes.push({ type: 'variable', name: secret, value: parseValue(text, 'secret'), secret: true });
  }
  for (const name of unset) changes.push({ type: 'variable.delete', name });
  if (host !== undefined || !hosts) changes.push({ type: 'hosts', hosts: [...(host ?? [])] });
  return changes;
}

function parseDeploy(text: string): Deploy {
  const [, decision = text, version] = /^(.+)@([1-9]\d{0,8})$/.exec(text) ?? [];
  return { decision, version: version === undefined ? undefined : Number(version) };
}

function parseVariable(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 0) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return [parseName(text.slice(0, at)), text.slice(at + 1)];
}

function parseName(name: string): string {
  if (isVariableName(name)) return name;
  throw new InvalidArgumentError('A name is a letter or _, then letters, digits and _; at most 128.');
}
