import type { Command } from 'commander';
import { formatJson } from '../../../workers/json/index.js';
import { examples } from '../arguments.js';
import type { Session } from '../session.js';
import { record } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { findDecision } from './find.js';
import { operations } from '#openapi/operations.gen.js';

/** `verdict decision copy`, `move` and `delete` */
export function registerDecisionLife(decision: Command, session: Session): void {
  withConnection(decision.command('copy'))
    .description('make a new decision of the working copy of another, without its versions')
    .argument('<decision>', 'key or id')
    .argument('<key>', 'of the new one')
    .addHelpText('after', examples('decision copy shop/fees.json trials/fees.json'))
    .action(async (name: string, key: string, options: ConnectionOptions) => {
      const service = session.service(options);
      const { id } = await findDecision(service, name);
      const { content } = (await service.send(operations.getVersion, { params: { id, version: 0 } })).body;
      const { body } = await service.send(operations.createDecision, { body: formatJson({ key, content }) });
      session.print(body, () => record({ key: body.key, id: body.id }));
    });
  withConnection(decision.command('move'))
    .description('give a decision another key; its versions, deployments and records stay')
    .argument('<decision>', 'key or id')
    .argument('<key>', 'the new one')
    .addHelpText('after', examples('decision move shop/fees.json shop/shipping/fees.json'))
    .action(async (name: string, key: string, options: ConnectionOptions) => {
      const service = session.service(options);
      const { id } = await findDecision(service, name);
      const { body } = await service.send(operations.updateDecision, { params: { id }, body: JSON.stringify({ key }) });
      session.print(body, () => record({ key: body.key, id }));
    });
  withConnection(decision.command('delete'))
    .description('delete a decision with its versions; refused where it is deployed, was executed, or another names it')
    .argument('<decision>', 'key or id')
    .addHelpText('after', examples('decision delete trials/fees.json'))
    .action(async (name: string, options: ConnectionOptions) => {
      const service = session.service(options);
      const { id, key } = await findDecision(service, name);
      await service.send(operations.deleteDecision, { params: { id } });
      session.print({ id, key, removed: true }, () => `${key} is removed`);
    });
}
