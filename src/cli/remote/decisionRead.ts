import type { Command } from 'commander';
import { examples, parseCount } from '../arguments.js';
import { Refusal } from '../failures.js';
import type { Session } from '../session.js';
import { record, table } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { differencesText } from './differencesText.js';
import { findDecision } from './find.js';
import { operations } from '#openapi/operations.gen.js';

/** `verdict decision list`, `show` and `diff` */
export function registerDecisionRead(decision: Command, session: Session): void {
  withConnection(decision.command('list'))
    .description("list the workspace's decisions by key")
    .option('--prefix <prefix>', 'those alone whose key begins so, such as `shop/`')
    .addHelpText('after', examples('decision list', 'decision list --prefix shop/'))
    .action(async ({ prefix, ...options }: ConnectionOptions & { prefix?: string }) => {
      const found = await session.service(options).all(operations.listDecisions, { query: { prefix } });
      const decisions = found.sort((one, other) => (one.key < other.key ? -1 : 1));
      session.print({ decisions }, () =>
        table(
          ['key', 'newest version', 'faults', 'id', 'updated'],
          decisions.map((row) => [
            ...[row.key, row.latestVersion ?? 'none', row.faults === 0 ? '' : row.faults],
            ...[row.id, row.updatedAt],
          ]),
        ),
      );
    });
  withConnection(decision.command('show'))
    .description('show a decision, its versions, and with --json its working copy')
    .argument('<decision>', 'key or id')
    .addHelpText('after', examples('decision show shop/fees.json'))
    .action((name: string, options: ConnectionOptions) => show(session, name, options));
  withConnection(decision.command('diff'))
    .description('show what is different between two versions, node by node and row by row')
    .argument('<decision>', 'key or id')
    .argument('[from]', 'a version; else the newest', parseCount(0, maxVersion))
    .argument('[to]', 'a version; else 0, the working copy', parseCount(0, maxVersion))
    .addHelpText('after', examples('decision diff shop/fees.json', 'decision diff shop/fees.json 3 4'))
    .action((name: string, from: number | undefined, to: number | undefined, options: ConnectionOptions) =>
      diff(session, { name, from, to }, options),
    );
}

const maxVersion = 2_147_483_647;

async function show(session: Session, name: string, options: ConnectionOptions): Promise<void> {
  const service = session.service(options);
  const found = await findDecision(service, name);
  const params = { id: found.id };
  const versions = await service.all(operations.listVersions, { params });
  const { content } = (await service.send(operations.getVersion, { params: { ...params, version: 0 } })).body;
  session.print({ ...found, versions, content }, () =>
    [
      record({
        key: found.key,
        id: found.id,
        'newest version': found.latestVersion ?? 'none',
        faults: found.faults,
        warnings: found.warnings,
        'content hash': found.contentHash,
      }),
      '',
      table(
        ['version', 'content', 'saved', 'by', 'message'],
        versions.map((each) => [
          ...[each.version, each.contentHash.slice(0, 12), each.createdAt],
          ...[each.savedBy, each.message],
        ]),
      ),
    ].join('\n'),
  );
}

interface Compared {
  readonly name: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

async function diff(session: Session, { name, from, to = 0 }: Compared, options: ConnectionOptions): Promise<void> {
  const service = session.service(options);
  const { id, latestVersion } = await findDecision(service, name);
  const older = from ?? latestVersion;
  if (older === null) throw new Refusal(`${JSON.stringify(name)} has no saved version yet to compare with.`);
  const { body } = await service.send(operations.compareVersions, { params: { id, from: older, to } });
  session.print(body, () => differencesText(body));
}
