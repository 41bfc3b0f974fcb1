import { text, type Given, type Param } from '../params.js';
import type { Decision } from '../../decisions/routes/decisions.schema.js';
import { isUuid } from '../../storage/ids.js';
import { Refusal } from '../failures.js';
import { operations } from '#openapi/operations.gen.js';
import { ServiceRefusal, type Operations } from './service.js';

/** The decision that people name by key or id. @throws Refusal where there is none */
export async function findDecision(service: Operations, name: string): Promise<Decision> {
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

/** A decision that people name by key or id. Its id is enough for a client that may not look decisions up. */
export const decisionId = <F extends string>(flags: F, about: string): Param<Given<F, string>> => ({
  ...text(flags, about),
  async resolve(service, name) {
    try {
      return (await findDecision(service, name)).id;
    } catch (error) {
      if (!(error instanceof ServiceRefusal && error.code === 'insufficient_scope')) throw error;
      if (isUuid(name)) return name.toLowerCase();
      throw new Refusal(`${error.message}\nOr name the decision by its id.`);
    }
  },
});

/** An environment that people name by name or id. */
export const environmentId = <F extends string>(flags: F, about: string): Param<Given<F, string>> => ({
  ...text(flags, about),
  resolve: environmentIdOf,
});

/** The id of the environment that people name so. @throws Refusal where there is none, or several */
async function environmentIdOf(service: Operations, name: string): Promise<string> {
  if (isUuid(name)) return name.toLowerCase();
  const all = await service.all(operations.listEnvironments);
  const [found, ...others] = all.filter((each) => each.name === name);
  if (found === undefined) {
    // The name is not repeated: what stands in its place may be a misplaced secret of `variable set`.
    throw new Refusal('there is no environment of that name in this workspace. See: verdict environment list');
  }
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id }) => `  ${id}`).join('\n');
    throw new Refusal(`several environments have that name. Name one by its id:\n${ids}`);
  }
  return found.id;
}
