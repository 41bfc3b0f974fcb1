import { expect } from 'chai';
import { createEncryption, sealedHeadBytes } from '../../../src/storage/encryption.js';

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

  describe('with several master keys', () => {
    const [old, present] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const both = createEncryption(present, [Buffer.alloc(32, 9), old]);

    it('opens what any of them sealed, and seals with the present one', () => {
      const sealed = encryption.seal('text', 'place');
      expect(both.open(sealed, 'place')).to.equal('text');
      const anew = both.seal('text', 'place');
      expect(createEncryption(present).open(anew, 'place')).to.equal('text');
      expect(() => encryption.open(anew, 'place')).to.throw();
      expect(() => both.open(sealed, 'elsewhere')).to.throw();
    });

    it('tells what the present one sealed by its first bytes', () => {
      const head = (sealed: Buffer): Buffer => sealed.subarray(0, sealedHeadBytes);
      expect(both.isPresent(head(both.seal('text', 'place')))).to.equal(true);
      expect(both.isPresent(head(encryption.seal('text', 'place')))).to.equal(false);
      expect(both.isPresent(Buffer.alloc(0))).to.equal(false);
    });

    it('derives a key for digests from the present one', () => {
      expect(both.digestKey).to.deep.equal(createEncryption(present).digestKey);
      expect(both.digestKey).not.to.deep.equal(encryption.digestKey);
    });
  });
});
