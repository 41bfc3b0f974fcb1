import type { ChangeRequest } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import type { WriteChange } from '../../changes/changes.schema.js';
import { states, verdicts } from '../../changes/states.js';
import { isVariableName } from '../../environments/variableRules.js';
import { command, list, type Call, type Command, type CommandGroup } from '../command.js';
import { Refusal, UsageError, exitCodes } from '../failures.js';
import {
  InvalidArgumentError,
  choice,
  flag,
  id,
  many,
  negated,
  parsed,
  required,
  text,
  type Input,
} from '../params.js';
import { changeRequestText } from '../remote/changeText.js';
import { decisionId, environmentId, findDecision } from '../remote/named.js';
import { isInForce, openRequestOf } from '../remote/inForce.js';
import { allowed } from '../remote/service.js';
import { printing, writePage } from '../remote/writePage.js';
import { parseValue, readValue } from '../remote/variableValue.js';

const one = { id: id('<request>', 'its id') };
const requestText = (request: ChangeRequest, { service }: Call): Promise<string> => changeRequestText(service, request);

const purposes: Readonly<Record<(typeof verdicts)[number], string>> = {
  approve: 'approve what a request would bring into force',
  reject: 'reject a request, which ends it',
  comment: 'say something about a request',
};

const review = (verdict: (typeof verdicts)[number]): Command =>
  command({
    name: `change ${verdict}`,
    about: purposes[verdict],
    examples: [`change ${verdict} 0190… --message "As agreed"`],
    args: one,
    options: {
      digest: text('--digest <digest>', 'what was looked at: refused where it is another by now; else what it is now'),
      message: text('--message <text>', 'why'),
    },
    async run({ ask, session }, { id, digest, message }) {
      if (verdict !== 'comment') {
        const reason = await allowed(
          null,
          async () => (await ask(operations.getChangeApprovals, { id })).body.own.reason,
        );
        if (reason !== null) session.note(`Your review will be kept, and does not count: it is ${reason}.`);
      }
      const seen = digest ?? (await ask(operations.getChangeRequest, { id })).body.digest;
      return (await ask(operations.reviewChangeRequest, { id, verdict, digest: seen, message })).body;
    },
    text: requestText,
  });

const creating = {
  environmentId: required(environmentId('--environment <environment>', 'where; name or id')),
  title: required(text('--title <title>', 'what it is; 1 to 255 characters')),
  message: text('--message <text>', 'why'),
  deploy: many('--deploy <decision[@version]>', 'deploy a saved version, else the newest; repeatable', parseDeploy),
  variable: many('--variable <name=value>', 'set a variable: JSON where it parses as such; repeatable', parseVariable),
  secret: parsed('--secret <name>', 'set a secret variable, its value from standard input', parseName),
  unset: many('--unset <name>', 'remove a variable; repeatable', parseName),
  host: many('--host <host>', 'replace the hosts that function nodes may call by these; repeatable', String),
  hosts: negated('--no-hosts', 'let function nodes call no host'),
  okIfUnchanged: flag('--ok-if-unchanged', 'exit 0 where all of it is in force or asked for already, too'),
};

async function changesOf({ session, service }: Call, options: Input<typeof creating>): Promise<WriteChange[]> {
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

const isOpenText = ({ id, title }: ChangeRequest): string =>
  `no request is made: ${JSON.stringify(title)} is open. Look at it: verdict change show ${id}. End it: verdict change close ${id}`;

function parseDeploy(text: string): { readonly decision: string; readonly version: number | undefined } {
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

export const changeCommands: CommandGroup = {
  groups: { change: 'change requests: what runs in a protected environment changes by what others approved' },
  commands: [
    command({
      name: 'change create',
      about:
        'ask for a change of a protected environment; its checks begin at once. Exit 3, and no request, where all of it is in ' +
        'force already, or an open request of the environment deploys one of the decisions',
      examples: [
        'change create --environment 0190… --title "Spring rates" --deploy shop/fees.json@4',
        'change create --environment 0190… --title "Free from 60" --variable FREE_FROM=60 --deploy shop/fees.json',
      ],
      options: creating,
      check({ host, hosts }) {
        if (host !== undefined && !hosts) throw new UsageError('give --host, or --no-hosts.');
      },
      async run(call, input) {
        const { environmentId } = await call.resolved({ environmentId: input.environmentId });
        const changes = await changesOf(call, input);
        if (changes.length === 0) {
          throw new UsageError(
            'name what is to change: --deploy, --variable, --secret, --unset, --host or --no-hosts.',
          );
        }
        if (await isInForce(call, String(environmentId), changes)) return { isInForce: true, changes } as const;
        const open = await openRequestOf(call, String(environmentId), changes);
        if (open !== undefined) return { isOpen: true, request: open } as const;
        const { title, message } = input;
        const asked = { environmentId, title, message, changes };
        return { request: (await call.ask(operations.createChangeRequest, asked)).body } as const;
      },
      document: (made) => ('request' in made ? made.request : made),
      text: (made, call) =>
        'isInForce' in made
          ? 'nothing to change: it is in force'
          : 'isOpen' in made
            ? isOpenText(made.request)
            : requestText(made.request, call),
      end: (made, _call, { okIfUnchanged = false }) =>
        ('isInForce' in made || 'isOpen' in made) && !okIfUnchanged ? exitCodes.nothingChanged : undefined,
    }),
    list({
      name: 'change list',
      about: 'list requests, newest first',
      examples: ['change list', 'change list --state APPROVED --environment 0190…'],
      options: {
        state: choice('--state <state>', 'those in this state alone', states),
        environmentId: environmentId('--environment <environment>', 'those of this environment alone; name or id'),
        decisionId: decisionId('--decision <decision>', 'those that deploy this decision; key or id'),
        author: text('--author <principal>', 'those of this principal, such as client:0190…'),
      },
      operation: operations.listChangeRequests,
      fixed: { order: 'desc' },
      as: 'changeRequests',
      columns: {
        created: 'createdAt',
        state: 'state',
        title: 'title',
        author: 'author',
        environment: 'environmentId',
        id: 'id',
      },
      named: ['author'],
    }),
    command({
      name: 'change show',
      about: 'show a request with its checks and reviews',
      examples: ['change show 0190…', 'change show 0190… --html request.html'],
      args: one,
      options: printing,
      async run(call, input) {
        await writePage(call, operations.getChangeRequest, input);
        return (await call.ask(operations.getChangeRequest, input)).body;
      },
      text: requestText,
    }),
    ...verdicts.map(review),
    command({
      name: 'change apply',
      about: 'bring an approved request into force, all of it at once',
      examples: ['change apply 0190…', 'change apply 0190… --override "Outage, call 4711"'],
      args: one,
      options: {
        override: text(
          '--override <reason>',
          'apply what is not approved, where the protection allows it; audited with the reason',
        ),
      },
      async run({ ask }, { id, override: reason }) {
        const override = reason === undefined ? undefined : { reason };
        return (await ask(operations.applyChangeRequest, { id, override })).body;
      },
      text: requestText,
    }),
    command({
      name: 'change close',
      about: 'close a request that is not wanted any more',
      examples: ['change close 0190…'],
      args: one,
      run: async ({ ask }, input) => (await ask(operations.closeChangeRequest, input)).body,
      text: requestText,
    }),
  ],
};
