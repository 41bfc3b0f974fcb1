import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import type { Answer } from '../../support/http.js';
import { operations, pathOf, planOf, refused, send, type Described } from '../../support/operations/operations.js';
import type { Named } from '../../support/operations/reach.js';
import { writes } from '../../support/operations/writes.js';
import { useFreshScene } from '../../support/scene.js';
import { operationsThat, useStage } from './stage.js';

const isTagged = ({ headers }: Described): boolean => headers.includes('If-None-Match');

/** The operation that reads what another one changes: of the same path, or of the nearest above it. */
function readerOf({ path }: Described): Described {
  for (let above = path; above !== ''; above = above.slice(0, above.lastIndexOf('/'))) {
    const found = [...operations.values()].find((one) => one.path === above && isTagged(one));
    if (found !== undefined) return found;
  }
  return expect.fail(`nothing tells the state of ${path}`);
}

describe('the contract: a state', () => {
  const stage = useStage();

  for (const operation of operationsThat(isTagged)) {
    it(`of ${operation.id} has a tag, by which it is not sent again`, async () => {
      for (;;) {
        const before = await stage.ask(operation, {});
        try {
          await requireTag(operation);
          return;
        } catch (error) {
          // A state may move by itself meanwhile, as a monitor's does that was looked at; else its tag has to stay.
          if ((await stage.ask(operation, {})).text === before.text) throw error;
        }
      }
    });
  }

  async function requireTag(operation: Described): Promise<void> {
    const read = (tag?: string): Promise<Answer> =>
      stage.ask(operation, tag === undefined ? {} : { headers: { 'If-None-Match': tag } });
    const { status, headers, text } = await read();
    const { etag = '' } = headers;
    expect(status, text).to.equal(200);
    expect(etag).to.match(/^"[\w-]+"$/);
    for (const same of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await read(same);
      expect([answer.status, answer.text, answer.headers['etag']], same).to.deep.equal([304, '', etag]);
    }
    for (const other of ['"other"', etag.slice(1, -1), '']) {
      const answer = await read(other);
      expect([answer.status, answer.headers['etag']], other).to.deep.equal([200, etag]);
    }
  }

  for (const operation of operationsThat(({ headers }) => headers.includes('If-Match'))) {
    it(`that is not the one ${operation.id} is asked to change is left as it is`, () =>
      stage.unchanged(async () => {
        const reader = readerOf(operation);
        const own = planOf(operation).own(stage.world);
        const { etag = '' } = (await stage.ask(reader, { params: own.params ?? {} })).headers;
        for (const tag of ['"other"', `W/${etag}`, etag.slice(1, -1), '']) {
          const answer = await stage.ask(operation, { headers: { ...own.headers, 'If-Match': tag } });
          refused(answer, 'precondition_failed', pathOf(operation, own.params));
        }
      }));
  }

  it('is as it was after all of these', () => stage.requireUnchanged());

  for (const operation of operationsThat(
    ({ headers, method }) => headers.includes('If-Match') && method !== 'DELETE',
  )) {
    it(`that is the one ${operation.id} is asked to change is changed, and its tag is that of the answer`, async () => {
      const reader = readerOf(operation);
      const own = planOf(operation).own(stage.world);
      // It names another state, so that the plan leaves everything as it is.
      if (own.headers?.['If-Match'] !== undefined) return;
      const ask = (tag: string): Promise<Answer> =>
        stage.ask(operation, { headers: { ...own.headers, 'If-Match': tag } });
      for (const tagOf of [(tag: string) => tag, () => '*', (tag: string) => `"other", ${tag}`]) {
        const { etag = '' } = (await stage.ask(reader, { params: own.params ?? {} })).headers;
        const answer = await ask(tagOf(etag));
        expect(answer.status, answer.text).to.be.oneOf([200, 201]);
        const { etag: now } = (await stage.ask(reader, { params: own.params ?? {} })).headers;
        if (operation.path === reader.path) expect(answer.headers['etag']).to.equal(now);
      }
    });
  }
});

describe('the contract: where there is none of what is written as a whole', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const isRemoved = ({ path }: Described): boolean =>
    [...operations.values()].some((one) => one.path === path && one.method === 'DELETE');
  const ask = (operation: Described, named: Named): Promise<Answer> =>
    send(app.baseUrl, operation, named, {
      authorization: `Bearer ${scene.token}`,
      workspaceId: scene.workspaceId,
    });

  for (const operation of operationsThat(
    (one) => one.method === 'PUT' && one.headers.includes('If-Match') && isRemoved(one),
  )) {
    it(`${operation.id} makes none for who names a state of it`, async () => {
      const named = await writes[operation.id]!.request(scene);
      for (const tag of ['*', '"1"', '"other"']) {
        const answer = await ask(operation, { ...named, headers: { ...named.headers, 'If-Match': tag } });
        refused(answer, 'precondition_failed', pathOf(operation, named.params));
      }
      expect((await ask(readerOf(operation), { params: named.params ?? {} })).status).to.equal(404);
      expect((await ask(operation, named)).status).to.equal(200);
    });
  }
});
