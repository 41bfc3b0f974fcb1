import { expect } from 'chai';
import { changeClient, removeClient } from '../../src/access/clients.service.js';
import { pause } from '../../src/clock/timers.js';
import { useApp } from '../support/app.js';
import { buildClient, disableClient, grantOnly, type Store } from '../support/factories.js';
import { LineStream } from '../support/lineStream.js';
import { doubling } from '../support/models.js';
import { testStore, useScene } from '../support/scene.js';
import { tokenOf } from '../support/tokens.js';

/** How often a line is sent, and for how long at most: what is withdrawn counts for five seconds at most. */
const [everyMs, longestMs] = [50, 5000];

/** What is withdrawn from a client, by its id. */
const withdrawals: Readonly<Record<string, (store: Store, id: string) => Promise<unknown>>> = {
  'was disabled': (store, id) => disableClient(store, id),
  'was deleted': (store, id) => removeClient(store, { id }, () => undefined),
  'lost the workspace': (store, id) => grantOnly(store, id, []),
  'lost the scope': (store, id) => changeClient(store, { id }, () => ({ scopes: ['environment:read'] })),
};

describe('a stream of lines that is open', () => {
  const app = useApp();
  const scene = useScene(app);
  let url: string;
  before(async () => {
    const { environmentId, decisionId } = await scene.deployed('open.json', doubling(2));
    url = `${app.baseUrl}/logic/${environmentId}/decisions/${decisionId}/batches`;
  });

  const open = async (): Promise<{ readonly id: string; readonly stream: LineStream }> => {
    const { tenantId, workspaceId } = scene;
    const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId] });
    const token = await tokenOf(app.baseUrl, client);
    const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-Id': workspaceId };
    return { id: client.id, stream: new LineStream(url, headers) };
  };

  /** Sends lines one by one, each once the one before is answered. Whether no answer came any more within that time. */
  const isCutOff = async (stream: LineStream): Promise<boolean> => {
    for (let sent = 0; sent < longestMs / everyMs; sent++) {
      // Nobody takes it any more where the stream is cut off.
      void stream.send({ fact: { x: 1 } });
      if ((await stream.next().catch(() => undefined)) === undefined) return true;
      await pause(everyMs);
    }
    return false;
  };

  for (const [what, withdraw] of Object.entries(withdrawals)) {
    it(`is cut off within 5 s once its client ${what}`, async () => {
      const { id, stream } = await open();
      await stream.send({ fact: { x: 1 } });
      expect(await stream.next()).to.deep.include({ index: 0, status: 'COMPLETED' });
      await withdraw(testStore(), id);
      expect(await isCutOff(stream)).to.equal(true);
      stream.cut();
    });
  }

  it('goes on while nothing is withdrawn', async () => {
    const { stream } = await open();
    const until = performance.now() + 1500;
    let index = 0;
    for (; performance.now() < until; index++) {
      await stream.send({ fact: { x: 1 } });
      expect(await stream.next()).to.deep.include({ index, status: 'COMPLETED' });
    }
    stream.end();
    expect(await stream.rest()).to.have.nested.property('[0].summary.completed', index);
  });
});
