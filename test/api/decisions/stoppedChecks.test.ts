import { expect } from 'chai';
import type { Decision } from '../../../src/decisions/routes/decisions.schema.js';
import { limitRuns, useApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import type { Answer } from '../../support/http.js';
import type { Model } from '../../support/models.js';
import { useScene } from '../../support/scene.js';
import { bodyOf } from '../../support/asserts.js';

const path = '/logic/decisions';
const longMs = 60_000;
/** No machine reads and checks the model below in it. */
const shortMs = 10;

/** An expression node of that many expressions, each another one. */
function expressions(count: number): Model {
  const list = Array.from({ length: count }, (_, n) => ({ id: `e${n}`, key: `k${n}`, value: `a + ${n} * (b + ${n})` }));
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', position: { x: 0, y: 0 } },
      { id: 'e', type: 'expressionNode', name: 'Sums', position: { x: 1, y: 0 }, content: { expressions: list } },
    ],
    edges: [{ id: '1', sourceId: 'in', targetId: 'e' }],
  };
}

describe('a check that a limit stops says nothing against the model', () => {
  const app = useApp();
  const scene = useScene(app);
  const large = expressions(8000);
  let made: Decision;

  before(async () => {
    await limitRuns(app, longMs);
    made = bodyOf(await scene.caller.post(path, { key: 'large.json', content: large }), 201) as Decision;
    await limitRuns(app, shortMs);
  });
  // The next file's, too.
  after(() => limitRuns(app, longMs));

  it('a version is made of what is stored', async () => {
    // Only the check takes long here; a thread that was ended has to be there again.
    let answer: Answer | undefined;
    await eventually(async () => {
      answer = await scene.caller.post(`${path}/${made.id}/versions`, {});
      return answer.status !== 503;
    });
    expect(answer?.status, answer?.text).to.equal(201);
  });
});
