import { expect } from 'chai';
import { useServer } from '../../support/process.js';
import { scripting } from '../../support/models.js';
import { buildScene } from '../../support/scene.js';
import { longTimeouts } from '../../support/settings.js';

describe('a server in another time zone', () => {
  const server = useServer({ ...longTimeouts, TZ: 'Asia/Tokyo' });

  it('runs function nodes in UTC all the same, as the next server that explains what they did', async () => {
    const scene = await buildScene(server);
    const { path } = await scene.deployed('d.json', scripting('return { at: new Date(2026, 0, 1).toISOString() }'));
    const { body } = await scene.caller.post(path, { fact: {} });
    expect(body).to.have.deep.property('result', { at: '2026-01-01T00:00:00.000Z' });
  });
});
