import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { useScene } from '../../support/scene.js';

describe('agents on a page', () => {
  const app = useApp();
  const scene = useScene(app);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example:8080'])
    it(`are refused where it is of another host: ${origin}`, async () => {
      const { status, body } = await scene.caller.post(`/mcp/${await scene.environment()}`, ping, { Origin: origin });
      expect(status).to.equal(403);
      expect(body).to.deep.equal({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Pages of other origins are not answered: send the request without Origin.' },
      });
    });

  it('are refused where its name, which is of no server here, leads to this one', async () => {
    const path = `/mcp/${await scene.environment()}`;
    const { status } = await scene.caller.post(path, ping, {
      ...{ Origin: 'http://evil.example:3000', Host: 'evil.example:3000' },
    });
    expect(status).to.equal(403);
  });

  it('are answered where it is of the server, and where they are on none', async () => {
    const path = `/mcp/${await scene.environment()}`;
    for (const headers of [{ Origin: app.baseUrl }, {}]) {
      const { status, body } = await scene.caller.post(path, ping, headers);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ jsonrpc: '2.0', id: 1, result: {} });
    }
  });
});
