import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { format } from 'mysql2';
import { putContents, readContents, type Content } from '../../src/decisions/contents.store.js';
import { importLimits } from '../../src/decisions/limits.js';
import { testDatabase } from '../support/scene.js';

/** Bytes of one packet that MariaDB takes by default; the servers of the tests take more. */
const usualPacket = 16 * 1024 * 1024;

const contentOf = (text: string): Content => ({
  hash: createHash('sha256').update(text).digest('hex'),
  text,
  subDecisions: [],
});

describe('contents', () => {
  for (const [what, letter] of [
    ['three bytes a character, of which one statement was larger than MariaDB takes', '漢'],
    ['characters that are all escaped', "'"],
  ] as const) {
    it(`of ${what}, are stored in statements of the usual size`, async () => {
      const database = testDatabase();
      const text = letter.repeat(Math.floor(importLimits.fileBytes / Buffer.byteLength(letter)) - 1);
      const contents = ['a', 'b', 'c'].map((start) => contentOf(start + text));
      const sizes: number[] = [];
      const note = ({ sql, bindings }: { sql: string; bindings: (string | Buffer | Date)[] }): void =>
        void sizes.push(Buffer.byteLength(format(sql, bindings)));
      database.on('query', note);
      try {
        await putContents(database, contents);
      } finally {
        database.off('query', note);
      }
      expect(Math.max(...sizes)).to.be.within(importLimits.fileBytes, usualPacket);
      const stored = await readContents(
        database,
        contents.map(({ hash }) => hash),
      );
      expect(contents.filter(({ hash, text: whole }) => stored.get(hash) !== whole)).to.have.length(0);
    });
  }
});
