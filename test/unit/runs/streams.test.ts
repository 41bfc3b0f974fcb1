import { expect } from 'chai';
import { Owners } from '../../../src/admission/owners.js';
import { Problem } from '../../../src/errors.js';
import { createOpenStream } from '../../../src/runs/batches/openStream.js';

describe('the streams of lines that are open', () => {
  it('are bounded by workspace and by tenant, and free again at their end', () => {
    const owners = new Owners();
    for (let n = 0; n < 10; n++) owners.learn({ tenantId: 'many', workspaceId: `w${n}` });
    const openStream = createOpenStream(owners);
    /** Opens as many as there may be. */
    const open = (workspaceId: string): (() => void)[] => {
      const ends: (() => void)[] = [];
      try {
        for (;;) ends.push(openStream(workspaceId));
      } catch (error) {
        expect(error).to.be.instanceOf(Problem).with.property('code', 'overloaded');
      }
      return ends;
    };
    const opened = Array.from({ length: 10 }, (_, n) => open(`w${n}`));
    expect(opened.map(({ length }) => length)).to.deep.equal([32, 32, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(open('neighbour')).to.have.length(32);
    for (const end of opened[0]!) end();
    expect(open('w9')).to.have.length(32);
  });
});
