import { expect } from 'chai';
import { floods, growthUnder } from '../../support/threadMemory.js';

const megabyte = 1024 * 1024;

describe('memory of a thread under texts that facts choose', () => {
  for (const name of Object.keys(floods)) {
    it(`does not grow with ${name}`, async () => {
      expect(await growthUnder(name)).below(60 * megabyte);
    });
  }
});
