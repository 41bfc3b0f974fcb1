import { expect } from 'chai';
import { Registry } from 'prom-client';
import { administerProcess, type CapacityStatus } from '../../../src/admin/administered.js';
import { createAdminApp } from '../../../src/admin/server.js';
import { ByteBudget } from '../../../src/admission/byteBudget.js';
import { listen } from '../../../src/http/server/server.js';
import { createLog } from '../../../src/log.js';
import { call } from '../../support/http.js';

describe('readiness', () => {
  it('fails while an eighth of the bytes is held for requests that ended long ago, and says so', async () => {
    const budget = new ByteBudget(8000);
    const administered = administerProcess({
      health: { read: () => Promise.resolve({ mysql: 'ok' }) },
      cache: null,
      pool: { resize: () => undefined },
      // Ten minutes later.
      capacity: () => budget.status(performance.now() + 600_000) as CapacityStatus,
      metrics: new Registry(),
      refusedTrees: new Map(),
      accepting: () => true,
    });
    const app = createAdminApp(administered, { adminHost: '127.0.0.1', adminNames: [] });
    const server = await listen(app, { host: '127.0.0.1', port: 0, log: createLog('silent') });
    try {
      const readiness = () => call(`http://127.0.0.1:${server.port}/readyz`);
      const forgotten = budget.reserve('a', 1001);
      expect((await readiness()).body)
        .to.deep.include({ status: 'ready' })
        .and.to.not.have.property('bytes');
      forgotten.end();
      const { status, body } = await readiness();
      expect(status).to.equal(503);
      expect(body).to.deep.include({ status: 'not ready', accepting: true, bytes: 'held' });
      expect((body as { fault: string }).fault).to.match(/^1001 of 8000 bytes are held for requests that ended/);
      forgotten.shrink(1);
      expect((await readiness()).status, 'an eighth').to.equal(200);
    } finally {
      await server.close(0);
    }
  });
});
