import { operations } from '#openapi/operations.gen.js';
import { formatJson } from '../../../workers/json/index.js';
import { command, list, type CommandGroup } from '../command.js';
import { Refusal } from '../failures.js';
import { count, flag, text, versions } from '../params.js';
import { differencesText } from '../remote/differencesText.js';
import { decisionId, findDecision } from '../remote/named.js';
import { byName } from '../remote/called.js';
import { fieldsOf, tableOf } from '../tableOf.js';
import { analyseCommand } from './analyse.js';
import { checkCommands } from './check.js';
import { importCommand, saveCommand } from './importing.js';
import { measuredCommands } from './measured.js';

const named = { decision: text('<decision>', 'key or id') };

const called = (version: number): string => (version === 0 ? 'the working copy' : `version ${version}`);

export const decisionCommands: CommandGroup = {
  groups: {
    decision: 'models, their working copies and saved versions',
    'decision measured': 'what was counted while it ran',
  },
  commands: [
    importCommand,
    saveCommand,
    list({
      name: 'decision list',
      about: "list the workspace's decisions by key",
      examples: ['decision list', 'decision list --prefix shop/'],
      options: { prefix: text('--prefix <prefix>', 'those alone whose key begins so, such as `shop/`') },
      operation: operations.listDecisions,
      as: 'decisions',
      sorted: (decisions) => decisions.sort((one, other) => (one.key < other.key ? -1 : 1)),
      columns: {
        key: 'key',
        'newest version': ({ latestVersion }) => latestVersion ?? 'none',
        faults: ({ faults }) => (faults === 0 ? '' : faults),
        id: 'id',
        updated: 'updatedAt',
      },
    }),
    command({
      name: 'decision show',
      about: 'show a decision, its versions, and with --json its working copy',
      examples: ['decision show shop/fees.json'],
      args: named,
      async run({ service, ask, all }, { decision }) {
        const found = await findDecision(service, decision);
        const versions = await all(operations.listVersions, { id: found.id });
        const { content } = (await ask(operations.getVersion, { id: found.id, version: 0 })).body;
        return { ...found, versions, content };
      },
      text: async (shown, call) =>
        [
          fieldsOf(
            {
              key: 'key',
              id: 'id',
              'newest version': ({ latestVersion }) => latestVersion ?? 'none',
              faults: 'faults',
              warnings: 'warnings',
              'content hash': 'contentHash',
            },
            shown,
          ),
          '',
          tableOf(
            {
              version: 'version',
              content: ({ contentHash }) => contentHash.slice(0, 12),
              saved: 'createdAt',
              by: 'savedBy',
              message: 'message',
            },
            await byName(call, shown.versions, ['savedBy']),
          ),
        ].join('\n'),
    }),
    command({
      name: 'decision diff',
      about: 'show what is different between two versions, node by node and row by row',
      examples: ['decision diff shop/fees.json', 'decision diff shop/fees.json 3 4'],
      args: {
        ...named,
        from: count('[from]', 'a version; else the newest', versions),
        to: count('[to]', 'a version; else 0, the working copy', versions),
      },
      async run({ service, ask }, { decision, from, to = 0 }) {
        const { id, latestVersion } = await findDecision(service, decision);
        const older = from ?? latestVersion;
        if (older === null) throw new Refusal(`${JSON.stringify(decision)} has no saved version yet to compare with.`);
        return (await ask(operations.compareVersions, { id, from: older, to })).body;
      },
      text: (body) => differencesText(body, `${called(body.from)} and ${called(body.to)}`),
    }),
    command({
      name: 'decision copy',
      about: 'make a new decision of the working copy of another, without its versions',
      examples: ['decision copy shop/fees.json trials/fees.json'],
      args: { id: decisionId('<decision>', 'key or id'), key: text('<key>', 'of the new one') },
      async run({ ask }, { id, key }) {
        const { content } = (await ask(operations.getVersion, { id, version: 0 })).body;
        return (await ask(operations.createDecision, { key, content })).body;
      },
      text: (made) => fieldsOf({ key: 'key', id: 'id' }, made),
    }),
    command({
      name: 'decision move',
      about: 'give a decision another key; its versions, deployments and records stay',
      examples: ['decision move shop/fees.json shop/shipping/fees.json'],
      args: { id: decisionId('<decision>', 'key or id'), key: text('<key>', 'the new one') },
      options: { force: flag('--force', 'also where others name it by its key, which have faults then') },
      async run({ service, resolved }, { key, force = false, ...decision }) {
        const id = String((await resolved(decision)).id);
        const query = { force: String(force) };
        return (await service.send(operations.updateDecision, { params: { id }, query, body: formatJson({ key }) }))
          .body;
      },
      text: (moved) => fieldsOf({ key: 'key', id: 'id' }, moved),
    }),
    command({
      name: 'decision delete',
      about: 'delete a decision with its versions; refused where it is deployed, was executed, or another names it',
      examples: ['decision delete trials/fees.json'],
      args: named,
      async run({ service, ask }, { decision }) {
        const { id, key } = await findDecision(service, decision);
        await ask(operations.deleteDecision, { id });
        return { id, key, removed: true };
      },
      text: ({ key }) => `${key} is removed`,
    }),
    ...measuredCommands,
    analyseCommand,
    ...checkCommands,
  ],
};
