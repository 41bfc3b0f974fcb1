import { expect } from 'chai';
import { printable, printableJson, printableLines } from '../../../src/cli/printable.js';
import { record, table } from '../../../src/cli/tableOf.js';

/** ESC, the one-byte CSI, DEL, bell, backspace, carriage return, overrides of direction, separators of lines. */
const acting = [
  ...['\u001b[2J', '\u009b31m', '\u007f', '\u0007', '\b', '\r', '\u202e', '\u2066', '\u200f', '\u2028', '\u0085'],
];
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('what reaches the terminal', () => {
  for (const text of acting) {
    it(`has no ${JSON.stringify(text)}, whatever it is in`, () => {
      const named = `a${text}b`;
      const shown = [
        printable(named),
        printableLines(`x\n${named}`),
        printableJson({ [named]: named }),
        table(['name'], [[named], [{ [named]: 1 }]]),
        record({ name: named, of: { [named]: named } }),
      ];
      for (const line of shown) expect(raw.test(line), line).to.equal(false);
      for (const line of shown) expect(line).to.match(/a.+b/);
      expect(JSON.parse(printableJson({ [named]: named }))).to.deep.equal({ [named]: named });
    });
  }

  it('has line ends only where a line is meant to end', () => {
    expect(printable('a\nb')).to.equal('a·b');
    expect(printableLines('a\nb')).to.equal('a\nb');
    expect(record({ name: 'a\nid  forged' })).to.equal('name  a·id  forged');
  });

  it('keeps letters and signs of all languages', () => {
    const text = 'Łódź · 犬 · العربية · 👩‍👧';
    expect(printable(text)).to.equal(text);
  });
});
