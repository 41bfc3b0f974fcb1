import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { BadCheckpoint, isSignedBy, parseCheckpoint, signCheckpoint } from '../../../src/evidence/checkpoint.js';
import { emptyRoot, leafHash } from '../../../src/evidence/tree.js';

/** The example of the specification (C2SP tlog-checkpoint). */
const published = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`;
/** The key of the example that Go's package of signed notes has. */
const goKey = { name: 'PeterNeumann', id: 'c74f20a3', bytes: 'ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW' };

const makeKey = (): { publicKey: Buffer; privateKey: ReturnType<typeof generateKeyPairSync>['privateKey'] } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'), privateKey };
};
const head = { size: 3, root: leafHash(Buffer.alloc(32), 'x') };
const origin = 'verdict.example/evidence/one';

describe('a checkpoint (C2SP tlog-checkpoint)', () => {
  it('is read as the specification writes it', () => {
    const { signatures, ...read } = parseCheckpoint(published);
    expect({ ...read, root: read.root.toString('base64') }).to.deep.equal({
      origin: 'example.com/behind-the-sofa',
      size: 20_852_163,
      root: 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
      text: published.slice(0, published.indexOf('\n\n') + 1),
    });
    expect(
      signatures.map(({ name, keyId, signature }) => [name, keyId.toString('hex'), signature.length]),
    ).to.deep.equal([['example.com/behind-the-sofa', '033de0ae', 64]]);
  });

  it('holds a signature of that published key', () => {
    const publicKey = Buffer.from(goKey.bytes, 'base64').subarray(1);
    const text =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
    const bytes = Buffer.from(
      'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
      'base64',
    );
    const note = {
      ...{ origin: goKey.name, text, ...head },
      signatures: [{ name: goKey.name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) }],
    };
    expect(isSignedBy(note, publicKey)).to.equal(true);
    expect(isSignedBy({ ...note, text: text.replace('If', 'Of') }, publicKey)).to.equal(false);
  });

  it('is signed by its key alone, in the name of its origin, also when it is empty', () => {
    const [key, other] = [makeKey(), makeKey()];
    for (const signed of [head, { size: 0, root: emptyRoot }]) {
      const note = signCheckpoint(origin, signed, key);
      expect(note).to.match(
        /^verdict\.example\/evidence\/one\n\d\n[\w+/]{43}=\n\n— verdict\.example\/evidence\/one [\w+/]{91}=\n$/,
      );
      const read = parseCheckpoint(note);
      expect(isSignedBy(read, key.publicKey)).to.equal(true);
      expect(isSignedBy(read, other.publicKey)).to.equal(false);
    }
    // A signature in another name is not the log's.
    const note = signCheckpoint(origin, head, key).replace(`— ${origin}`, '— somebody.else');
    expect(isSignedBy(parseCheckpoint(note), key.publicKey)).to.equal(false);
  });

  it('does not hold with any one bit of it changed', () => {
    const key = makeKey();
    const note = Buffer.from(signCheckpoint(origin, head, key));
    for (let bit = 0; bit < note.length * 8; bit++) {
      const changed = Buffer.from(note);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      let holds: boolean;
      try {
        holds = isSignedBy(parseCheckpoint(changed.toString()), key.publicKey);
      } catch (error) {
        expect(error).to.be.instanceOf(BadCheckpoint);
        holds = false;
      }
      expect(holds, `bit ${bit}`).to.equal(false);
    }
  });

  it('is refused where it is none', () => {
    for (const text of [
      '',
      '\n\n',
      'a\n1\n\n',
      'a\n01\nCsU=\n\n— a AAAAAAA=\n',
      published.slice(0, -1),
      `${published}x`,
    ]) {
      expect(() => parseCheckpoint(text), JSON.stringify(text)).to.throw(BadCheckpoint);
    }
  });
});
