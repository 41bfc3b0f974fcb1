import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { protect, requestsPath } from '../support/changes.js';
import type { Answer } from '../support/http.js';
import { doubling } from '../support/models.js';
import { useScene } from '../support/scene.js';

/** Of each kind, how many there may be, and how one is made. */
type Limited = Readonly<
  Record<string, { readonly most: number; readonly path: string; readonly body: (at: number) => object }>
>;

/** Requests that come in one moment: more than there are processors and connections to MySQL. */
const atOnce = 40;

describe('more requests at once than there is room for', () => {
  const app = useApp();
  const scene = useScene(app);
  const running = { decisionId: '', environmentId: '' };
  let protectedId: string;
  before(async () => {
    const { decisionId, environmentId } = await scene.deployed('limited.json', doubling(2));
    Object.assign(running, { decisionId, environmentId });
    protectedId = await scene.environment();
    await protect(scene.caller, protectedId);
  });

  const limited: Limited = {
    'open change requests of an environment': {
      most: 100,
      path: requestsPath,
      body: (at) => ({
        environmentId: protectedId,
        title: 'x',
        changes: [{ type: 'variable', name: `V${at}`, value: at }],
      }),
    },
    monitors: {
      most: 100,
      path: '/logic/monitors',
      body: () => ({ ...running, name: 'x', measure: 'failed', window: '1h', condition: '> 0.9' }),
    },
    shadows: {
      most: 10,
      path: '/logic/shadows',
      body: () => ({
        ...running,
        ...{ version: 1, sample: 0.5, expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
      }),
    },
  };

  for (const [what, { most, path, body }] of Object.entries(limited)) {
    it(`make no more ${what} than there may be`, async () => {
      const make = (at: number): Promise<Answer> => scene.caller.post(path, body(at));
      for (let made = 0; made < most - 5; made++) expect((await make(made)).status).to.equal(201);
      const answers = await Promise.all(Array.from({ length: atOnce }, (_, at) => make(most + at)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([...Array<number>(5).fill(201), ...Array<number>(atOnce - 5).fill(429)]);
    });
  }
});
