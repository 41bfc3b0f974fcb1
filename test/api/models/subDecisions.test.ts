import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { calling, expressing } from '../../support/models.js';
import { useScene } from '../../support/scene.js';

interface Fields {
  readonly properties: Readonly<Record<string, { readonly type?: unknown }>>;
}

describe('what a decision asks of its callers, where another one reads it', () => {
  const scene = useScene(useApp());

  it('is told by the schema of a version, and of the working copy as it is now', async () => {
    const inner = await scene.decision('inner.json', expressing({ fee: 'weight * 2' }));
    const id = await scene.decision('outer.json', calling('inner.json'));
    const fields = async (version: number): Promise<object> => {
      const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/${version}/schema`);
      return (body as { input: Fields }).input.properties;
    };
    const before = { weight: { type: 'number' } };
    expect([await fields(1), await fields(0)]).to.deep.equal([before, before]);
    await scene.caller.patch(`/logic/decisions/${inner}`, { content: expressing({ fee: 'weight * size' }) });
    expect([await fields(1), await fields(0)]).to.deep.equal([before, { ...before, size: { type: 'number' } }]);
  });

  it('is told to generators of clients and to agents', async () => {
    await scene.decision('fee.json', expressing({ fee: 'weight * 2' }));
    const { decisionId, environmentId } = await scene.deployed('order.json', calling('fee.json'));
    await scene.settled();
    const { body } = await scene.caller.get(`/logic/${environmentId}/decisions/${decisionId}/openapi.json`);
    const { schemas } = (body as { components: { schemas: { Fact: Fields } } }).components;
    expect(schemas.Fact.properties).to.deep.equal({ weight: { type: 'number' } });

    const listed = await scene.caller.post(`/mcp/${environmentId}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { tools } = (listed.body as { result: { tools: { name: string; inputSchema: Fields }[] } }).result;
    expect(tools.find(({ name }) => name === 'order')?.inputSchema.properties).to.have.key('weight');
  });
});
