import { expect } from 'chai';
import { reachedAt } from '../../src/config/addresses.js';

describe('the address at which a port of this machine is reached', () => {
  for (const [host, address] of [
    ['127.0.0.1', 'http://127.0.0.1:3001'],
    ['192.168.1.5', 'http://192.168.1.5:3001'],
    ['0.0.0.0', 'http://127.0.0.1:3001'],
    ['::', 'http://[::1]:3001'],
    ['::1', 'http://[::1]:3001'],
    ['fd00::2', 'http://[fd00::2]:3001'],
    ['box.local', 'http://box.local:3001'],
  ] as const) {
    it(`is ${address} where it listens on ${host}`, () => expect(reachedAt(host, 3001)).to.equal(address));
  }
});
