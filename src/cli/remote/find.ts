import type { Decision } from '../../decisions/routes/decisions.schema.js';
import { isUuid } from '../../storage/ids.js';
import { Refusal } from '../failures.js';
import { operations } from './operations.js';
import { ServiceRefusal, type Service } from './service.js';

/** The decision that people name by key or id. @throws Refusal where there is none */
export async function findDecision(service: Service, name: string): Promise<Decision> {
  const { body } = await service.send(operations.listDecisions, { query: { key: name.normalize('NFC') } });
  const [named] = body.data;
  if (named !== undefined) return named;
  if (isUuid(name)) {
    try {
      return (await service.send(operations.getDecision, { params: { id: name } })).body;
    } catch (error) {
      if (!(error instanceof ServiceRefusal && error.status === 404)) throw error;
    }
  }
  throw new Refusal(`there is no decision ${JSON.stringify(name)} in this workspace. See: verdict decision list`);
}
