import { expect } from 'chai';
import { createXaesKey, xaesOpen, xaesSeal } from '../../../src/storage/xaesGcm.js';

/** The specification's own (https://c2sp.org/XAES-256-GCM, "Test vectors"): one with, one without the top bit of the mask's block. */
const vectors = [
  { keyByte: 1, additional: '', expected: 'ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271' },
  {
    keyByte: 3,
    additional: 'c2sp.org/XAES-256-GCM',
    expected: '986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d',
  },
];

describe('XAES-256-GCM', () => {
  for (const { keyByte, additional, expected } of vectors)
    it(`seals and opens the specification's text with a key of ${keyByte}s`, () => {
      const key = createXaesKey(Buffer.alloc(32, keyByte));
      const nonce = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWX');
      const sealed = xaesSeal(key, nonce, 'XAES-256-GCM', additional);
      const [tag, body] = [sealed.subarray(0, 16), sealed.subarray(16)];
      expect(Buffer.concat([body, tag]).toString('hex')).to.equal(expected);
      expect(xaesOpen(key, nonce, sealed, additional)).to.equal('XAES-256-GCM');
    });
});
