import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { between, type Model } from '../../support/models.js';
import { useFreshScene } from '../../support/scene.js';

const mebibyte = 1024 * 1024;
/** Characters of all names and messages that one answer may have, and what its form takes besides. */
const most = 5 * mebibyte;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
interface Told {
  readonly faults: readonly { readonly severity: string; readonly message: string }[];
}

/** Each fault has the name of its node, which is as long as may be. */
const faulty = (count: number, length: number): Model => {
  const expressions = Array.from({ length: count }, (_, at) => ({ id: `e${at}`, key: `e${at}`, value: '1 +' }));
  return between({ id: 'e', type: 'expressionNode', name: 'n'.repeat(length), content: { expressions } });
};

/** Decision nodes, each the only one between input and output. */
const callingAll = (keys: readonly string[]): Model => ({
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', content: {} },
    ...keys.map((key) => ({ id: key, type: 'decisionNode', name: key, content: { key } })),
  ],
  edges: keys.map((key) => ({ id: key, sourceId: 'in', targetId: key, type: 'edge' })),
});

describe('the faults of one answer', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const expectBounded = ({ status, body }: Answer, expected: number): void => {
    expect(status).to.equal(expected);
    expect(JSON.stringify(body).length).to.be.below(most);
    const { faults } = body as Told;
    expect(faults.length).to.be.above(1);
    expect(faults.at(-1)).to.include({ severity: 'error', message: 'There are more faults, which are not listed.' });
  };

  it('are bounded together, however many models have them: checked, brought in, saved', async () => {
    const decisions = Array.from({ length: 6 }, (_, at) => ({ key: `m${at}.json`, content: faulty(20, 300_000) }));
    expectBounded(await scene.caller.post('/logic/validations', { decisions }), 200);
    expectBounded(await scene.caller.post('/logic/imports', { decisions }), 422);
    expectBounded(await scene.caller.post('/logic/imports?force=true', { decisions }), 200);
    const top = { key: 'top.json', content: callingAll(decisions.map(({ key }) => key)) };
    const { body } = await scene.caller.post('/logic/decisions', top);
    expectBounded(await scene.caller.post(`/logic/decisions/${(body as { id: string }).id}/versions`, {}), 409);
  });

  it('are bounded where one model is long', async () => {
    const content = faulty(40, 900_000);
    expectBounded(await scene.caller.post('/logic/decisions', { key: 'long.json', content }), 422);
  });

  it('are all of them where they are few', async () => {
    const decisions = Array.from({ length: 3 }, (_, at) => ({ key: `m${at}.json`, content: faulty(30, 10) }));
    const { body } = await scene.caller.post('/logic/validations', { decisions });
    expect((body as Told).faults.length).to.equal(90);
  });
});
