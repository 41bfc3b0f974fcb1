import { expect } from 'chai';
import { leavesOf, variantsOf } from '../../../../workers/engine/redact/variants.js';
import type { ZenObject } from '../../../../workers/engine/values.js';

const sorted = (texts: Iterable<string>): string[] => [...texts].sort();

describe('the texts of a secret value', () => {
  it('are every key, text and number in it, at any depth, and no true, false or null', () => {
    const value = { a: ['x', { b: 12_345, c: [2.5] }], d: true, e: null, f: 'x', g: false };
    expect([...leavesOf(value)]).to.deep.equal(['a', 'x', 'b', '12345', 'c', '2.5', 'd', 'e', 'f', 'g']);
  });

  it('are those of a date as it stands in a result, without its quotes', () => {
    class SomeDate implements ZenObject {
      readonly zenType = 'date';
      toJSON(): string {
        return '2025-01-31 12:00:00';
      }
    }
    expect([...leavesOf([new SomeDate()])]).to.deep.equal(['2025-01-31 12:00:00']);
  });

  it('are added to those that there are', () => {
    expect([...leavesOf('b', new Set(['a']))]).to.deep.equal(['a', 'b']);
  });
});

describe('the forms of a secret text', () => {
  it('are none below 4 characters', () => {
    expect([...variantsOf('')]).to.deep.equal([]);
    expect([...variantsOf('a"b')]).to.deep.equal([]);
    expect(variantsOf('abcd').has('abcd')).to.equal(true);
  });

  it('are itself in both cases, hexadecimal and base64 where nothing needs an escape', () => {
    // Of `x????`, `xx????` and `????x` in base64, what the ???? alone decide.
    expect(sorted(variantsOf('jklm'))).to.deep.equal(
      sorted(['jklm', 'JKLM', '6a6b6c6d', '6A6B6C6D', 'amtsbQ==', 'amtsbQ', 'amtsb', 'prbG', 'qa2xt']),
    );
  });

  it('are in base64 of both alphabets', () => {
    const forms = [...variantsOf('>>>???~')];
    expect(forms).to.include.members(['Pj4+Pz8/fg==', 'Pj4-Pz8_fg', 'Pj4+Pz8/f', 'Pj4-Pz8_f']);
  });

  it('are URL-encoded as components, strictly, as addresses and as forms do it, in both cases and with + for blanks', () => {
    const forms = [...variantsOf("ä b'(1)*!~/?")].filter((form) => /(?:~|%7e)(?![01])/i.test(form) && /b/.test(form));
    expect(sorted(forms)).to.deep.equal(
      sorted([
        ...["ä b'(1)*!~/?", "%C3%A4%20b'(1)*!~%2F%3F", "%c3%a4%20b'(1)*!~%2f%3f", "%C3%A4+b'(1)*!~%2F%3F"],
        ...["%c3%a4+b'(1)*!~%2f%3f", '%C3%A4%20b%27%281%29%2A%21~%2F%3F', '%c3%a4%20b%27%281%29%2a%21~%2f%3f'],
        ...['%C3%A4+b%27%281%29%2A%21~%2F%3F', '%c3%a4+b%27%281%29%2a%21~%2f%3f', "%C3%A4%20b'(1)*!~/?"],
        ...["%c3%a4%20b'(1)*!~/?", "%C3%A4+b'(1)*!~/?", "%c3%a4+b'(1)*!~/?", '%C3%A4+b%27%281%29*%21%7E%2F%3F'],
        '%c3%a4+b%27%281%29*%21%7e%2f%3f',
      ]),
    );
  });

  it('are all of that in lower and in upper case too', () => {
    const forms = variantsOf('Töp/Secret');
    for (const text of ['Töp/Secret', 'töp/secret', 'TÖP/SECRET']) {
      expect([forms.has(text), forms.has(encodeURIComponent(text))], text).to.deep.equal([true, true]);
    }
  });

  it('are the property of a JSON Pointer', () => {
    expect(variantsOf('a~b/c').has('a~0b~1c')).to.equal(true);
    expect(variantsOf('"a/b"').has('\\"a~1b\\"')).to.equal(true);
  });

  for (const [secret, shown] of [
    ['1.5e+21', ['1500000000000000000000', '1.5e21', '1.5e+21', '1.5E21', '1.5E+21']],
    ['1.25e-7', ['0.000000125', '1.25e-7', '1.25E-7']],
    ['-48213.50', ['48213.50', '48213.5', '4.82135e4']],
    ['0048213', ['0048213', '48213']],
    ['12345678901234567890', ['12345678901234567890', '12345678901234567000', '1.2345678901234567e19']],
    ['123456789012345678901234567890.5', ['123456789012345678901234567890.5', '1.2345678901234568e+29']],
    ['4213e02', ['421300', '4.213e5']],
  ] as const) {
    it(`are ${secret} as engine, JSON and JavaScript write that number`, () => {
      expect([...variantsOf(secret)]).to.include.members([...shown]);
    });
  }

  it('are no number of fewer than 4 characters', () => {
    expect([...variantsOf('0012')].filter((form) => form.length < 4)).to.deep.equal([]);
    expect([...variantsOf('12')]).to.deep.equal([]);
  });

  it('are what becomes of half a surrogate pair, and no error', () => {
    expect(variantsOf('abc\ud83e').has('abc%EF%BF%BD')).to.equal(true);
  });

  it('are JSON-escaped six levels deep', () => {
    const levels = ['a"bc'];
    for (let level = 1; level <= 6; level++) levels.push(JSON.stringify(levels.at(-1)).slice(1, -1));
    const forms = variantsOf('a"bc');
    expect(levels.map((level) => forms.has(level))).to.deep.equal([true, true, true, true, true, true, false]);
  });

  it('are not escaped again once they are more than twenty times as long', () => {
    const longest = (secret: string): number => Math.max(...[...variantsOf(secret)].map((form) => form.length));
    expect(longest('""""'), 'sixteen times').to.equal(64);
    expect(longest('\u0001\u0001\u0001\n'), 'twenty times').to.equal(80);
  });
});
