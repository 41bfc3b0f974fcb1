import { expect } from 'chai';
import { readBasic } from '../../../src/oauth/authenticateClient.js';

const encode = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('readBasic', () => {
  const good: [string, string, string][] = [
    [encode('id:secret'), 'id', 'secret'],
    [encode('id:'), 'id', ''],
    [encode('id:a:b'), 'id', 'a:b'],
    [encode('id:a%3Ab%2Bc%25d+e%20f'), 'id', 'a:b+c%d e f'],
    [encode('i%3Ad:s'), 'i:d', 's'],
    [encode('id:%C3%A4%F0%9F%A6%8A'), 'id', 'ä🦊'],
    [encode('id:ä'), 'id', 'ä'],
    [`bAsIc   ${Buffer.from('id:s').toString('base64')} `, 'id', 's'],
    ['Basic aWQ6cw', 'id', 's'],
  ];
  for (const [header, id, secret] of good) {
    it(`reads ${header}`, () => expect(readBasic(header)).to.deep.equal({ id, secret }));
  }

  const bad = ['', 'Basic', 'Basic ', 'Basic @@@', encode('no colon'), encode('id:%'), encode('id:%zz')];
  bad.push(
    encode('id:%ff'),
    encode('%zz:secret'),
    'Bearer aWQ6cw==',
    'xBasic aWQ6cw==',
    'Basicaidpz',
    'Basic aWQ6cw== x',
    encode(`id:${'x'.repeat(2048)}`),
  );
  for (const header of bad) {
    it(`refuses ${header.slice(0, 40)}`, () => expect(readBasic(header)).to.equal(undefined));
  }
});
