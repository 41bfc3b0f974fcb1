import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { zipSync, type Zippable } from 'fflate';
import { importLimits } from '../../../src/decisions/limits.js';
import { readSources } from '../../../src/cli/sources/read.js';
import { SourceError } from '../../../src/cli/sources/source.js';
import { unzipModels } from '../../../src/cli/sources/zip.js';
import { isZip } from '../../../workers/sheets/index.js';
import { useFolder } from '../../support/folder.js';

const text = (value: string): Uint8Array => Buffer.from(value);
const unzipped = (zip: Uint8Array): [string, string][] =>
  unzipModels(zip, 'x.zip').map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]);
/** A zip of one file, `a.json`, with that file so many times, as `b.json` and so on: packing it once takes a while. */
function repeated(zip: Uint8Array, times: number): Uint8Array {
  const end = Buffer.from(zip.slice(-22));
  const at = end.readUInt32LE(16);
  const files = Array.from({ length: times }, (_, n) => {
    const [file, listed] = [Buffer.from(zip.slice(0, at)), Buffer.from(zip.slice(at, -22))];
    file.writeUInt8(97 + n, 30);
    listed.writeUInt8(97 + n, 46);
    listed.writeUInt32LE(n * at, 42);
    return { file, listed };
  });
  for (const place of [8, 10]) end.writeUInt16LE(times, place);
  end.writeUInt32LE(times * end.readUInt32LE(12), 12);
  end.writeUInt32LE(times * at, 16);
  return Buffer.concat([...files.map(({ file }) => file), ...files.map(({ listed }) => listed), end]);
}
const unzipping = (files: Zippable) => () => unzipModels(zipSync(files), 'x.zip');

describe('zips', () => {
  it('give every .json, packed or not, and nothing else', () => {
    const zip = zipSync({
      'a.json': text('{}'),
      deep: { 'b.json': [text('{"b":1}'), { level: 0 }], 'notes.txt': text('no') },
      __MACOSX: { '._a.json': text('no') },
    });
    expect(isZip(zip)).to.equal(true);
    expect(unzipped(zip)).to.deep.equal([
      ['a.json', '{}'],
      ['deep/b.json', '{"b":1}'],
    ]);
  });

  for (const name of ['../up.json', 'a/../../up.json', '/etc/x.json', 'a\\..\\x.json', 'C:/x.json']) {
    it(`refuse a name that leads out: ${name}`, () => {
      expect(unzipping({ [name]: text('{}') })).to.throw(SourceError, 'outside of itself');
    });
  }

  it('refuse a file that unpacks to more than the limit', () => {
    const bomb = new Uint8Array(importLimits.fileBytes + 1).fill(0x20);
    expect(unzipping({ 'bomb.json': bomb })).to.throw(SourceError, 'a file larger than');
  });

  it('count what comes out, not what the zip states of itself', () => {
    const zip = Buffer.from(zipSync({ 'bomb.json': new Uint8Array(importLimits.fileBytes * 4).fill(0x20) }));
    // Size, unpacked, in the local header and in the directory at the end.
    zip.writeUInt32LE(10, 22);
    zip.writeUInt32LE(10, zip.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    expect(() => unzipModels(zip, 'x.zip')).to.throw(SourceError, 'a file larger than');
  });

  it('refuse more files than the limit, and more bytes in all', () => {
    const many = Object.fromEntries(Array.from({ length: importLimits.files + 1 }, (_, n) => [`${n}.txt`, text('')]));
    expect(unzipping(many)).to.throw(SourceError, 'entries');
    const packed: [Uint8Array, { level: 1 }] = [new Uint8Array(importLimits.fileBytes - 1).fill(0x20), { level: 1 }];
    const zip = repeated(zipSync({ 'a.json': packed }), 12);
    expect(() => unzipModels(zip, 'x.zip')).to.throw(SourceError, `more than ${importLimits.totalBytes} bytes`);
    const small = zipSync({ 'a.json': text('{}') });
    expect(unzipped(repeated(small, 3)).map(([name]) => name)).to.deep.equal(['a.json', 'b.json', 'c.json']);
  });

  it('refuse a damaged one, one that was cut off, and one without models', () => {
    const zip = zipSync({ 'a.json': text(JSON.stringify({ a: 'some text that is packed, a little'.split(' ') })) });
    expect(() => unzipModels(zip.subarray(0, 60), 'x.zip')).to.throw(SourceError, 'damaged');
    const damaged = Uint8Array.from(zip).fill(0xff, 40, 70);
    expect(() => unzipModels(damaged, 'x.zip')).to.throw(SourceError, 'damaged');
    expect(unzipping({ 'a.txt': text('') })).to.throw(SourceError, 'no .json or .dmn files');
    expect(() => unzipModels(zipSync({}), 'x.zip')).to.throw(SourceError, 'no .json or .dmn files');
  });

  it('refuse one that was cut off, wherever: in the header of a later file, or before the end of its directory', () => {
    const zip = zipSync({ 'a.json': text('{}'), 'b.json': [text('{"b":1}'), { level: 0 }], 'c.txt': text('no') });
    for (let length = 4; length < zip.length; length++) {
      expect(() => unzipModels(zip.subarray(0, length), 'x.zip'), `${length} bytes`).to.throw(SourceError, 'damaged');
    }
  });

  it('take a comment at their end, as long as it may be', () => {
    const zip = zipSync({ 'a.json': text('{}') });
    const commented = Buffer.concat([zip, Buffer.alloc(0xffff, 'x')]);
    commented.writeUInt16LE(0xffff, zip.length - 2);
    expect(unzipped(commented)).to.deep.equal([['a.json', '{}']]);
  });
});

describe('paths to import', () => {
  const folder = useFolder();
  before(async () => {
    await mkdir(join(folder, 'models', 'deep'), { recursive: true });
    await mkdir(join(folder, 'empty'));
    await writeFile(join(folder, 'models', 'b.json'), '{}');
    await writeFile(join(folder, 'models', 'deep', 'a.json'), '{}');
    await writeFile(join(folder, 'models', 'readme.md'), '');
    await writeFile(join(folder, 'outside.json'), '{}');
    await symlink(join(folder, 'outside.json'), join(folder, 'models', 'link.json'));
    await writeFile(join(folder, 'renamed.dat'), zipSync({ 'z/in.json': text('{}') }));
  });

  const names = async (...paths: string[]): Promise<[string, string][]> =>
    (await readSources(paths, folder)).map(({ path, name }) => [path, name]);

  it('are files, folders and zips, with keys as seen from each', async () => {
    expect(await names('models', 'outside.json', 'renamed.dat')).to.deep.equal([
      ['models/b.json', 'b.json'],
      ['models/deep/a.json', 'deep/a.json'],
      ['outside.json', 'outside.json'],
      ['renamed.dat:z/in.json', 'z/in.json'],
    ]);
  });

  const documentOf = (encoding: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?><definitions name="Größe"/>`;
  const marked = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const [encoding, bytes] of [
    ['ISO-8859-1', Buffer.from(documentOf('ISO-8859-1'), 'latin1')],
    ['windows-1252', Buffer.from(documentOf('windows-1252'), 'latin1')],
    ['UTF-16', marked(documentOf('UTF-16'))],
    ['UTF-16, the other way round', marked(documentOf('UTF-16')).swap16()],
  ] as const) {
    it(`may be documents of DMN in ${encoding}, which are UTF-8 from then on`, async () => {
      await writeFile(join(folder, 'read.dmn'), bytes);
      const [source] = await readSources(['read.dmn'], folder);
      expect(JSON.parse(Buffer.from(source?.bytes ?? []).toString())).to.deep.equal({
        contentType: 'application/dmn+xml',
        xml: documentOf('UTF-8'),
      });
    });
  }

  it('may be documents that are UTF-8, whatever they say of themselves: these stay as they are', async () => {
    await writeFile(join(folder, 'said.dmn'), `\uFEFF${documentOf('ISO-8859-1')}`);
    const [source] = await readSources(['said.dmn'], folder);
    const { xml } = JSON.parse(Buffer.from(source?.bytes ?? []).toString()) as { xml: string };
    expect(xml).to.equal(`\uFEFF${documentOf('ISO-8859-1')}`);
  });

  for (const [declared, message] of [
    [
      'KLINGON',
      'read.dmn cannot be read. The file is not UTF-8 text, and cannot be read as KLINGON, as it declares. Save it as UTF-8.',
    ],
    [
      'us"ascii',
      'read.dmn cannot be read. The file is not UTF-8 text, and cannot be read as us, as it declares. Save it as UTF-8.',
    ],
    ['', 'read.dmn cannot be read. The file is not UTF-8 text, and it declares no encoding. Save it as UTF-8.'],
  ] as const) {
    it(`say which encoding a document has that cannot be read, and what to do: ${JSON.stringify(declared)}`, async () => {
      await writeFile(join(folder, 'read.dmn'), Buffer.from(documentOf(declared), 'latin1'));
      const error: unknown = await readSources(['read.dmn'], folder).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(SourceError).with.property('message', message);
    });
  }

  for (const [path, reason] of [
    ['nowhere', 'nowhere is not there'],
    ['outside.json/x', 'is not there'],
    ['empty', 'no .json or .dmn files'],
  ] as const) {
    it(`say why not: ${path}`, async () => {
      const error: unknown = await readSources([path], folder).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(SourceError);
      expect((error as SourceError).message).to.include(reason);
    });
  }
});
