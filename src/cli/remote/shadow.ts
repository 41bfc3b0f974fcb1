import { InvalidArgumentError, type Command } from 'commander';
import { examples, parseCount, parseDate, parseId } from '../arguments.js';
import { reportText } from '../replays/reportText.js';
import type { Session } from '../session.js';
import { record, table } from '../table.js';
import { comparisonOf, withComparison, type ComparisonOptions } from './comparison.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { environmentIdOf, findDecision, requiredEnvironment } from './find.js';
import type { Shadow } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';

const maxVersion = 2_147_483_647;

/** `verdict shadow …` */
export function registerShadow(program: Command, session: Session): void {
  const shadow = program
    .command('shadow')
    .description('live executions also run on another version, after they were answered, and the results are compared');
  registerStart(shadow, session);
  withConnection(shadow.command('list'))
    .description('list shadows')
    .addHelpText('after', examples('shadow list'))
    .action(async (options: ConnectionOptions) => {
      const shadows = await session.service(options).all(operations.listShadows);
      session.print({ shadows }, () =>
        table(
          ['created', 'status', 'version', 'sample', 'expires', 'replayed', 'changed', 'decision', 'id'],
          shadows.map((each) => [
            ...[each.createdAt, each.status, each.version, each.sample, each.expiresAt],
            ...[each.report.replayed, each.report.changed, each.decisionId, each.id],
          ]),
        ),
      );
    });
  withConnection(shadow.command('show'))
    .description('show a shadow with its report, a few seconds behind')
    .argument('<shadow>', 'its id', parseId)
    .addHelpText('after', examples('shadow show 0190…'))
    .action(async (id: string, options: ConnectionOptions) => {
      print(session, (await session.service(options).send(operations.getShadow, { params: { id } })).body);
    });
  withConnection(shadow.command('end'))
    .description('end a shadow that runs, and keep its report; remove one that has ended')
    .argument('<shadow>', 'its id', parseId)
    .addHelpText('after', examples('shadow end 0190…'))
    .action(async (id: string, options: ConnectionOptions) => {
      await session.service(options).send(operations.deleteShadow, { params: { id } });
      session.print({ id }, () => record({ id }));
    });
}

interface StartOptions extends ConnectionOptions, ComparisonOptions {
  readonly environment: string;
  readonly candidate: number;
  readonly sample: number;
  readonly expires: Date;
}

function registerStart(shadow: Command, session: Session): void {
  withComparison(withConnection(shadow.command('start')))
    .description('start a shadow')
    .argument('<decision>', 'key or id')
    .addOption(requiredEnvironment('whose executions'))
    .requiredOption('--candidate <version>', 'what to run them on; 0 is the working copy', parseCount(0, maxVersion))
    .requiredOption('--expires <date>', 'when it ends by itself, at most 30 days from now', parseDate)
    .option('--sample <share>', 'the share of the executions, above 0, at most 1', parseShare, 1)
    .addHelpText(
      'after',
      examples('shadow start shop/fees.json --environment 0190… --candidate 4 --expires 2026-01-31'),
    )
    .action(async (decision: string, options: StartOptions) => {
      const service = session.service(options);
      const request = {
        decisionId: (await findDecision(service, decision)).id,
        environmentId: await environmentIdOf(service, options.environment),
        version: options.candidate,
        sample: options.sample,
        expiresAt: options.expires.toISOString(),
        ...comparisonOf(options),
      };
      print(session, (await service.send(operations.createShadow, { body: JSON.stringify(request) })).body);
    });
}

function print(session: Session, shadow: Shadow): void {
  const { id, status, version, sample, expiresAt, report } = shadow;
  session.print(shadow, () => `${record({ id, status, version, sample, expires: expiresAt })}\n${reportText(report)}`);
}

function parseShare(text: string): number {
  const share = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || share <= 0 || share > 1) {
    throw new InvalidArgumentError('It must be a number above 0, at most 1.');
  }
  return share;
}
