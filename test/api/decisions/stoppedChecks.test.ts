import { expect } from 'chai';
import type { Decision } from '../../../src/decisions/routes/decisions.schema.js';
import { limitRuns, useOwnApp } from '../../support/app.js';
import type { Model } from '../../support/models.js';
import { useScene } from '../../support/scene.js';

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
  const app = useOwnApp();
  const scene = useScene(app);
  const large = expressions(8000);
  let made: Decision;

  before(async () => {
    await limitRuns(app, longMs);
    const answer = await scene.caller.post(path, { key: 'large.json', content: large });
    expect(answer.status, answer.text).to.equal(201);
    made = answer.body as Decision;
    await limitRuns(app, shortMs);
  });

  it('a check tells that nothing is known, and knows it when it is asked again', async () => {
    const ask = async (): Promise<unknown> => {
      const body = { decisions: [{ key: 'large.json', content: large }] };
      const { status, body: answer, text } = await scene.caller.post('/logic/validations', body);
      expect(status, text).to.equal(200);
      return (answer as { faults: { severity: string }[] }).faults.map(({ severity }) => severity);
    };
    expect(await ask()).to.deep.equal(['unknown']);
    await limitRuns(app, longMs);
    expect(await ask()).to.deep.equal([]);
    await limitRuns(app, shortMs);
  });

  it('what is written meanwhile is stored, or refused for the time that it takes, and never as faulty', async () => {
    const content = expressions(8001);
    const answers = [
      await scene.caller.patch(`${path}/${made.id}`, { content }),
      await scene.caller.post('/logic/imports', { decisions: [{ key: 'other.json', content }] }),
    ];
    // The check may stop by itself, or be stopped with its thread.
    for (const { status, body, text } of answers)
      if (status !== 200)
        expect([status, (body as { code: string }).code], text).to.deep.equal([504, 'engine_timeout']);
  });

  it('a version is made of what is stored', async () => {
    const answer = await scene.caller.post(`${path}/${made.id}/versions`, {});
    expect(answer.status, answer.text).to.equal(201);
  });
});
