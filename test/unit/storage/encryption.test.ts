import { expect } from 'chai';
import { createEncryption } from '../../../src/storage/encryption.js';

const encryption = createEncryption(Buffer.alloc(32, 1));

describe('encryption', () => {
  it('opens what it sealed, and never seals twice alike', () => {
    for (const text of ['', 'a', 'ключ 🔑', 'x'.repeat(100_000)]) {
      const sealed = encryption.seal(text, 'place');
      expect(encryption.open(sealed, 'place')).to.equal(text);
      expect(sealed.equals(encryption.seal(text, 'place'))).to.equal(false);
    }
  });

  it('refuses another place, another key, and any changed or missing byte', () => {
    const sealed = encryption.seal('secret', 'place');
    expect(() => encryption.open(sealed, 'elsewhere')).to.throw();
    expect(() => createEncryption(Buffer.alloc(32, 2)).open(sealed, 'place')).to.throw();
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => encryption.open(changed, 'place'), `byte ${index}`).to.throw();
      expect(() => encryption.open(sealed.subarray(0, index), 'place'), `cut at ${index}`).to.throw();
    }
  });

  it('digests depend on the key and on every character', () => {
    const digest = encryption.digest('secret');
    expect(digest).to.have.length(32);
    expect(digest.equals(encryption.digest('secret'))).to.equal(true);
    expect(digest.equals(encryption.digest('Secret'))).to.equal(false);
    expect(digest.equals(createEncryption(Buffer.alloc(32, 2)).digest('secret'))).to.equal(false);
  });
});
