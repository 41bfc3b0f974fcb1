import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { commandOf, nth, someIndex, someServer, type Command } from './command.js';
import type { Server } from './history.js';
import { deploymentsIn, hasHistory, removeEnvironment, type Environment, type Model } from './model.js';
import { expectStatus, type System } from './system.js';

const path = '/logic/environments';
const someName = fc.constantFrom('Test', ' Production ', 'é', '日本');
const someFields = fc.record({
  name: someName,
  description: fc.constantFrom('', null, 'Where it runs'),
  color: fc.constantFrom('#abc', '#123456'),
});
type Fields = Pick<Environment, 'name' | 'description' | 'color'>;

const settled = (fields: Partial<Fields>): Partial<Environment> => ({
  ...fields,
  ...(fields.name === undefined ? {} : { name: fields.name.trim() }),
  ...(fields.description === undefined ? {} : { description: fields.description === '' ? null : fields.description }),
});

const bodyOf = ({ id, name, description, color }: Environment): object => ({ id, name, description, color });

function expectShown(shown: unknown, environment: Environment): void {
  expect(shown).to.include(bodyOf(environment));
}

const some = ({ environments }: Readonly<Model>): boolean => environments.size > 0;

async function create(
  model: Model,
  { at }: System,
  { server, fields }: { server: Server; fields: Fields },
): Promise<void> {
  const answer = await at[server].post(path, fields);
  expectStatus(answer, 201);
  const { id } = answer.body as { id: string };
  const made = { ...settled(fields), id, revision: 1, alive: true } as Environment;
  expectShown(answer.body, made);
  expect(answer.headers['etag']).to.equal('"1"');
  model.environments.set(id, made);
}

interface OfOne {
  readonly server: Server;
  readonly index: number;
}
const ofOne = { server: someServer, index: someIndex };

async function get(
  model: Model,
  { at }: System,
  { server, index, current }: OfOne & { current: boolean },
): Promise<void> {
  const environment = nth(model.environments.values(), index);
  const tag = `"${current ? environment.revision : environment.revision + 1}"`;
  const answer = await at[server].get(`${path}/${environment.id}`, { 'If-None-Match': tag });
  if (!environment.alive) expectStatus(answer, 404, 'environment_not_found');
  else if (current) expect([answer.status, answer.text]).to.deep.equal([304, '']);
  else {
    expectStatus(answer, 200);
    expectShown(answer.body, environment);
  }
}

type Match = 'none' | 'right' | 'wrong';
const someMatch = fc.constantFrom<Match>('none', 'right', 'wrong');

const matching = (match: Match, revision: number): Record<string, string> =>
  match === 'none' ? {} : { 'If-Match': `"${match === 'right' ? revision : revision + 7}"` };

async function update(
  model: Model,
  { at }: System,
  { server, index, match, fields }: OfOne & { match: Match; fields: Partial<Fields> },
): Promise<void> {
  const environment = nth(model.environments.values(), index);
  const headers = matching(match, environment.revision);
  const answer = await at[server].patch(`${path}/${environment.id}`, fields, headers);
  if (Object.keys(fields).length === 0) {
    expectStatus(answer, 400, 'validation_failed');
    return;
  }
  if (!environment.alive) {
    expectStatus(answer, 404, 'environment_not_found');
    return;
  }
  if (match === 'wrong') {
    expectStatus(answer, 412, 'precondition_failed');
    return;
  }
  expectStatus(answer, 200);
  const changed = { ...environment, ...settled(fields), revision: environment.revision + 1 };
  expectShown(answer.body, changed);
  expect(answer.headers['etag']).to.equal(`"${changed.revision}"`);
  model.environments.set(environment.id, changed);
}

async function remove(model: Model, { at }: System, { server, index, match }: OfOne & { match: Match }): Promise<void> {
  const environment = nth(model.environments.values(), index);
  const { id } = environment;
  const answer = await at[server].delete(`${path}/${id}`, matching(match, environment.revision));
  if (!environment.alive) {
    expectStatus(answer, 204);
    return;
  }
  if (match === 'wrong') {
    expectStatus(answer, 412, 'precondition_failed');
    return;
  }
  if (hasHistory(model, new Set([id, ...deploymentsIn(model, id)]))) {
    expectStatus(answer, 409, 'execution_history_exists');
    return;
  }
  expectStatus(answer, 204);
  removeEnvironment(model, id, server);
}

async function removeAbsent(_model: Model, { at }: System, { server }: { server: Server }): Promise<void> {
  expectStatus(await at[server].delete(`${path}/${randomUUID()}`), 204);
}

interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly page: { readonly size: number; readonly total: number; readonly after: string | null };
}

/** Page after page, each from either process: every resource that is there, in the order of ids, and no other. */
export async function expectListed(
  { at }: System,
  listPath: string,
  expected: ReadonlyMap<string, object>,
  size: number,
): Promise<void> {
  const ids = [...expected.keys()].sort();
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; page <= ids.length; page++) {
    const answer = await at[page % 2 === 0 ? 0 : 1].get(`${listPath}?size=${size}${cursor}`);
    expectStatus(answer, 200);
    const { data, page: info } = answer.body as Listed;
    expect(info.total).to.equal(ids.length);
    expect(info.size).to.equal(data.length);
    for (const item of data) expect(item).to.include(expected.get(item.id) ?? { id: 'not there' });
    seen.push(...data.map(({ id }) => id));
    if (info.after === null) break;
    cursor = `&after=${info.after}`;
  }
  expect(seen).to.deep.equal(ids);
}

export const shownEnvironments = ({ environments }: Model): Map<string, object> =>
  new Map([...environments.values()].filter(({ alive }) => alive).map((one) => [one.id, bodyOf(one)]));

async function list(model: Model, system: System, { size }: { size: number }): Promise<void> {
  await expectListed(system, path, shownEnvironments(model), size);
}

const somePart = fc.record(
  { name: someName, description: fc.constantFrom('', null, 'new'), color: fc.constant('#fed') },
  { requiredKeys: [] },
);

export const environmentCommands: fc.Arbitrary<Command>[] = [
  commandOf('create environment', fc.record({ server: someServer, fields: someFields }), create),
  commandOf('get environment', fc.record({ ...ofOne, current: fc.boolean() }), get, some),
  commandOf('update environment', fc.record({ ...ofOne, match: someMatch, fields: somePart }), update, some),
  commandOf('delete environment', fc.record({ ...ofOne, match: someMatch }), remove, some),
  commandOf('delete absent environment', fc.record({ server: someServer }), removeAbsent),
  commandOf('list environments', fc.record({ size: fc.integer({ min: 1, max: 5 }) }), list),
];
