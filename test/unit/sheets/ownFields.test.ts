import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readFacts, writeAnswers } from '../../../workers/sheets/facts/batch.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';

const read = (text: string | Uint8Array): unknown[] =>
  readFacts(readCsv(Buffer.from(text), 'Facts')).items.map((item) => (JSON.parse(item) as { fact: unknown }).fact);

describe('fields of facts in a sheet that look as if an answer had added them', () => {
  const id = randomUUID();
  const sheets: readonly (readonly [text: string, fact: object])[] = [
    [`id,status,amount\n${id},COMPLETED,7\n`, { id, status: 'COMPLETED', amount: 7 }],
    [`amount,id,status\n7,${id},FAILED\n`, { id, status: 'FAILED', amount: 7 }],
    [`id,amount,status,result.code\n${id},7,FAILED,x\n`, { id, status: 'FAILED', amount: 7, result: { code: 'x' } }],
    [`status,id,result\nCOMPLETED,${id},x\n`, { id, status: 'COMPLETED', result: 'x' }],
  ];

  for (const [text, fact] of sheets)
    it(`are fields of facts: ${text.split('\n')[0] ?? ''}`, () => {
      expect(read(text)).to.deep.equal([fact]);
      for (const result of [{ fee: 1 }, {}, 'x', null]) {
        const answer = JSON.stringify({ id: randomUUID(), status: 'COMPLETED', result });
        const answered = writeAnswers(readCsv(Buffer.from(text), 'Facts'), [answer], ',');
        expect(read(answered), 'answered, and sent again').to.deep.equal([fact]);
      }
    });
});
