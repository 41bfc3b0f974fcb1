import { expect } from 'chai';
import { Circuits } from '../../../src/storage/circuits.js';

describe('circuits', () => {
  let now: number;
  let said: boolean[];
  let circuits: Circuits;
  beforeEach(() => {
    now = 1000;
    said = [];
    circuits = new Circuits(
      (healthy) => said.push(healthy),
      () => now,
    );
  });

  it('nothing is sent before there is a connection, nor after it is lost', () => {
    expect([circuits.closed('a'), circuits.healthy]).to.deep.equal([false, false]);
    circuits.connected();
    expect([circuits.closed('a'), circuits.healthy]).to.deep.equal([true, true]);
    circuits.disconnected();
    expect([circuits.closed('a'), circuits.healthy]).to.deep.equal([false, false]);
    expect(said).to.deep.equal([true, false]);
  });

  it('one that failed is left alone for a moment, and the others are not', () => {
    circuits.connected();
    circuits.failed('a');
    expect([circuits.closed('a'), circuits.closed('b')]).to.deep.equal([false, true]);
    now += 249;
    expect(circuits.closed('a')).to.equal(false);
    now += 1;
    expect(circuits.closed('a')).to.equal(true);
    // Asked again, but not yet well.
    expect(circuits.healthy).to.equal(false);
    circuits.worked('a');
    expect(circuits.healthy).to.equal(true);
  });

  it('are well once all are, and say so once', () => {
    circuits.connected();
    for (const server of ['a', 'b', 'a', 'b']) circuits.failed(server);
    circuits.worked('a');
    expect(circuits.healthy).to.equal(false);
    circuits.worked('c');
    circuits.worked('b');
    expect(said).to.deep.equal([true, false, true]);
  });

  it('what left the cluster, and what nobody has asked for ten seconds, is no fault of the present', () => {
    circuits.connected();
    circuits.failed('a');
    circuits.keep(new Set(['b', 'c']));
    expect(circuits.healthy).to.equal(true);
    circuits.failed('b');
    circuits.keep(new Set(['b', 'c']));
    expect(circuits.healthy).to.equal(false);
    now += 10_001;
    expect(circuits.healthy).to.equal(true);
  });
});
