import { expect } from 'chai';
import {
  consistencyPath,
  inclusionPath,
  isConsistent,
  rootOfPath,
  type ReadNode,
} from '../../../src/evidence/paths.js';
import { emptyRoot, Frontier, leafHash, nodeHash } from '../../../src/evidence/tree.js';

/** Leaves and roots as the reference implementation of RFC 6962 publishes them (certificate-transparency, merkle_tree_test). */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
/** Paths from there: of a leaf (0-based) in a tree, and from an earlier tree to a later one. */
const inclusions = [
  { index: 0, size: 1, path: [] },
  {
    index: 0,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  },
  {
    index: 5,
    size: 8,
    path: [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  },
  { index: 2, size: 3, path: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'] },
];
const consistencies = [
  { from: 1, size: 1, path: [] },
  {
    from: 1,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  },
  {
    from: 6,
    size: 8,
    path: [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  },
  {
    from: 2,
    size: 5,
    path: [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  },
];

const hashes = leaves.map((hex) => leafHash(Buffer.alloc(0), Buffer.from(hex, 'hex')));
const hex = (path: readonly Buffer[]): string[] => path.map((hash) => hash.toString('hex'));

/** Reads complete nodes of a tree by computing them. */
const reading =
  (from: readonly Buffer[]): ReadNode =>
  async (level, index) => {
    if (level === 0) return from[index]!;
    const read = reading(from);
    return nodeHash(await read(level - 1, 2 * index), await read(level - 1, 2 * index + 1));
  };
/** Many leaves, and the tree of each number of them. */
const many = Array.from({ length: 70 }, (_, at) => leafHash(Buffer.alloc(32, at), `{"n":${at}}`));
const frontier = new Frontier();
const heads = many.map((leaf) => {
  frontier.append(leaf);
  return { size: frontier.size, root: frontier.root() };
});

describe('the tree of evidence (RFC 6962)', () => {
  it('has the published roots, leaf by leaf', () => {
    expect(emptyRoot.toString('hex')).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    const tree = new Frontier();
    expect(tree.root()).to.deep.equal(emptyRoot);
    for (const [at, leaf] of hashes.entries()) {
      tree.append(leaf);
      expect(tree.root().toString('hex')).to.equal(roots[at]);
      expect(Frontier.fromText(tree.size, tree.toText()).root()).to.deep.equal(tree.root());
    }
    expect(() => Frontier.fromText(7, tree.toText())).to.throw(RangeError);
  });

  it('has the published paths of leaves and between trees', async () => {
    for (const { index, size, path } of inclusions)
      expect(hex(await inclusionPath(reading(hashes), index, size)), `leaf ${index} of ${size}`).to.deep.equal(path);
    for (const { from, size, path } of consistencies)
      expect(hex(await consistencyPath(reading(hashes), from, size)), `${from} to ${size}`).to.deep.equal(path);
  });

  it('gives complete nodes as they come, each once', () => {
    const tree = new Frontier();
    const given = many.flatMap((leaf) => tree.append(leaf));
    const names = given.map(({ level, index }) => `${level}/${index}`);
    expect(new Set(names).size).to.equal(names.length);
    expect(names).to.have.length(35 + 17 + 8 + 4 + 2 + 1);
  });

  it('takes the path of every leaf in every tree, and of no other leaf, tree or path', async () => {
    for (const { size, root } of heads) {
      for (let index = 0; index < size; index++) {
        const path = await inclusionPath(reading(many), index, size);
        expect(rootOfPath(many[index]!, index, size, path)).to.deep.equal(root);
        const other = (index + 1) % size;
        if (size > 1) expect(rootOfPath(many[other]!, index, size, path)).to.not.deep.equal(root);
        expect(rootOfPath(many[index]!, index, size, [...path, root])).to.equal(undefined);
        if (path.length > 0) expect(rootOfPath(many[index]!, index, size, path.slice(1))).to.not.deep.equal(root);
      }
    }
    expect(rootOfPath(many[0]!, 1, 1, [])).to.equal(undefined);
  });

  it('takes the path between every two trees, and none with a bit or a step changed', async () => {
    for (const earlier of heads) {
      for (const later of heads.slice(earlier.size - 1)) {
        const path = await consistencyPath(reading(many), earlier.size, later.size);
        const label = `${earlier.size} to ${later.size}`;
        expect(isConsistent(earlier, later, path), label).to.equal(true);
        const forged = { size: earlier.size, root: many[0]! };
        if (earlier.size > 1) expect(isConsistent(forged, later, path), label).to.equal(false);
        expect(isConsistent(earlier, { ...later, root: forged.root }, path), label).to.equal(later.size === 1);
        if (path.length > 0) expect(isConsistent(earlier, later, path.slice(1)), label).to.equal(false);
        expect(isConsistent(earlier, later, [...path, later.root]), label).to.equal(false);
      }
    }
    expect(isConsistent(heads[1]!, heads[0]!, [])).to.equal(false);
  });
});
