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

  it('opens what was sealed before each purpose had a key of its own', () => {
    const stored = [
      '0707070707070707070707079855caa2b184e73a549a3df2d992ffb79188b748ae1d0cb7e1cbdaa41caf',
      // A nonce that begins like the present form.
      '010101010101010101010101285ed66b7ac2be47ff06fb50ee955b0e4ea5c3e21ce7f56ab10511a96eb9',
    ];
    for (const hex of stored) {
      expect(encryption.open(Buffer.from(hex, 'hex'), 'variables/a/b/NAME')).to.equal('stored earlier');
    }
  });

  it('begins what it seals with the form and the key that sealed it, and repeats no nonce', () => {
    const sealed = Array.from({ length: 100 }, () => encryption.seal('', 'place'));
    const heads = new Set(sealed.map((bytes) => bytes.toString('hex', 0, 5)));
    expect([...heads])
      .to.have.length(1)
      .and.match(/^01/);
    const other = createEncryption(Buffer.alloc(32, 2)).seal('', 'place').toString('hex', 0, 5);
    expect(heads.has(other)).to.equal(false);
    expect(new Set(sealed.map((bytes) => bytes.toString('hex', 5, 29)))).to.have.length(100);
  });

  it('digests depend on the key and on every character', () => {
    const digest = encryption.digest('secret');
    expect(digest).to.have.length(32);
    expect(digest.equals(encryption.digest('secret'))).to.equal(true);
    expect(digest.equals(encryption.digest('Secret'))).to.equal(false);
    expect(digest.equals(createEncryption(Buffer.alloc(32, 2)).digest('secret'))).to.equal(false);
  });
});
