import { expect } from 'chai';
import fc from 'fast-check';
import { redactor, type RunSecrets, type Value } from '../../../../workers/engine/index.js';
import { ownTime } from '../../../support/ownTime.js';
import { allowedMs, cases, isLong } from '../../../support/environment.js';

const secret = `p"ä\\s/w +d?&'(1)`;
const mark = '[REDACTED]';

/** How a secret may come out of a model: by its own hand or by a library's. */
const forms: Record<string, (text: string) => string> = {
  raw: (text) => text,
  'JSON-escaped': (text) => JSON.stringify(text),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify({ text })),
  'component-encoded': encodeURIComponent,
  'component-encoded, lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'address-encoded': encodeURI,
  'form-encoded': (text) => new URLSearchParams({ q: text }).toString(),
  'plus for blank': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'Basic credentials': (text) => Buffer.from(`me:${text}`).toString('base64'),
  'base64 one off': (text) => Buffer.from(`x${text}yz`).toString('base64'),
  'base64 two off': (text) => Buffer.from(`xy${text}z`).toString('base64url'),
  'base64 three off': (text) => Buffer.from(`xyz${text}`).toString('base64'),
};

/** Pieces that give a secret away. */
function leaks(text: string, hidden: string): boolean {
  return [hidden, JSON.stringify(hidden).slice(1, -1), encodeURIComponent(hidden)].some((form) => text.includes(form));
}

/** Of a run that has read all of these. */
function reading(secrets: readonly Value[]): RunSecrets {
  const run = redactor(Object.fromEntries(secrets.map((secret, index) => [`S${index}`, secret]))).forRun();
  run.noteAllRead();
  return run;
}

describe('redaction', () => {
  for (const [name, form] of Object.entries(forms)) {
    it(`finds a secret ${name}`, () => {
      const { text, json } = reading([secret]);
      expect(text(`before ${form(secret)} after`)).to.match(/^before .*\[REDACTED\].* after$/);
      const clean = json(JSON.stringify({ a: [`x ${form(secret)} y`], [form(secret)]: 1 }));
      expect(clean.split(mark)).to.have.length.at.least(3);
      expect(() => JSON.parse(clean) as unknown).to.not.throw();
    });
  }

  it('leaves everything else alone, to the byte', () => {
    const { text, json } = reading([secret]);
    const plain = '{"a":1.50,"b":"\\u00e4\\/ \\"x\\"","c":[1e400,-0.0]}';
    expect(json(plain)).to.equal(plain);
    expect(text('nothing here')).to.equal('nothing here');
    expect(reading([]).json(plain)).to.equal(plain);
  });

  it('takes keys of a secret JSON too', () => {
    expect(reading([{ 'acct-8842': { pin: 1 } }]).json('{"acct-8842":1,"a":"of acct-8842"}')).to.equal(
      `{"${mark}":1,"a":"of ${mark}"}`,
    );
  });

  it('takes leaves of any JSON, but nothing short and no true, false or null', () => {
    const { json: clean } = reading([
      { user: 'root', pass: { now: 'hunter22', n: 123456 }, list: ['abcd'] },
      'abc',
      true,
      null,
      42,
    ]);
    const before = { a: 'root hunter22 abcd', b: true, c: null, d: 'abc', e: 42, f: 123456, g: 'true', now: 1 };
    expect(JSON.parse(clean(JSON.stringify(before)))).to.deep.equal({
      ...before,
      a: `${mark} ${mark} ${mark}`,
      f: mark,
    });
  });

  it('makes a text of a number that shows a secret', () => {
    const { json: clean } = reading(['4711', 2.5001]);
    expect(clean('{"a":4711,"b":[194711.5,2.5001,4710],"c":"4711"}')).to.equal(
      `{"a":"${mark}","b":["${mark}","${mark}",4710],"c":"${mark}"}`,
    );
  });

  it('leaves true, false and null of the JSON alone when a secret has their name', () => {
    const { json: clean } = reading(['true', 'null', 'false']);
    expect(clean('{"a":true,"b":null,"c":false,"d":"is true"}')).to.equal(
      `{"a":true,"b":null,"c":false,"d":"is ${mark}"}`,
    );
  });

  it('sees through escapes that others use', () => {
    expect(reading(['päss']).json('{"a":"p\\u00e4ss"}')).to.equal(`{"a":"${mark}"}`);
    expect(reading(['a/bc']).json('{"a":"a\\/bc"}')).to.equal(`{"a":"${mark}"}`);
  });

  it('does not break an escape that looks like a secret', () => {
    const { json: clean } = reading(['nabc', 'u00e4', '\\nab']);
    expect(JSON.parse(clean('{"a":"\\nabc","b":"\\u00e4"}'))).to.deep.equal({ a: '\nabc', b: 'ä' });
  });

  it('finds a secret in JSON that was written into a text six times over', () => {
    let escaped = 'a"bc';
    for (let level = 0; level < 5; level++) escaped = JSON.stringify(escaped).slice(1, -1);
    const { text, json } = reading(['a"bc']);
    expect(text(`x ${escaped} y`)).to.equal(`x ${mark} y`);
    expect(json(JSON.stringify([`x ${escaped} y`]))).to.equal(`["x ${mark} y"]`);
  });

  it('covers secrets that overlap as one', () => {
    expect(reading(['abcd', 'bcdef', 'xx12']).text('abcdef abcd-xx12')).to.equal(`${mark} ${mark}-${mark}`);
  });

  it('leaves no secret in any JSON, which stays JSON of the same shape', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', minLength: 4, maxLength: 12 }),
      fc.string({ minLength: 4, maxLength: 12 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 3 }),
        fc.jsonValue(),
        fc.constantFrom(...Object.keys(forms)),
        (secrets, extra, name) => {
          const hidden = secrets.filter((one) => Buffer.from(one).toString() === one);
          const values = hidden.map((one) => `<${(forms[name] ?? String)(one)}>`);
          // Without names of its own: "values" would rightly be taken out for the secret "valu".
          const clean = reading(hidden).json(JSON.stringify([values, extra]));
          const [back] = JSON.parse(clean) as [string[], unknown];
          expect(back).to.have.length(values.length);
          for (const one of hidden)
            for (const value of back) expect(leaks(value.replaceAll(mark, ''), one)).to.equal(false);
        },
      ),
      { numRuns: cases(300) },
    );
  });

  it('looks for what the run has read, and from then on', () => {
    const run = redactor({ PIN: '482136', TOKEN: 'sk_live_1', CONF: { user: 'alice' } }).forRun();
    const text = '482136 sk_live_1 alice';
    expect(run.text(text)).to.equal(text);
    run.noteRead('NO_SECRET');
    expect([run.text(text), run.json(`"${text}"`), run.message(text)]).to.deep.equal([text, `"${text}"`, text]);
    run.noteRead('TOKEN');
    expect(run.text(text)).to.equal(`482136 ${mark} alice`);
    run.noteRead('CONF');
    expect(run.text(text)).to.equal(`482136 ${mark} ${mark}`);
    run.noteAllRead();
    expect(run.text(text)).to.equal(`${mark} ${mark} ${mark}`);
  });

  it('is apart for each run and each environment', () => {
    const environment = redactor({ PIN: '482136' });
    environment.forRun().noteRead('PIN');
    expect(environment.forRun().text('482136')).to.equal('482136');
    const [one, two] = [redactor({ PIN: '482136' }).forRun(), redactor({ PIN: '771204' }).forRun()];
    for (const run of [one, two]) run.noteRead('PIN');
    expect([one.text('482136 771204'), two.text('482136 771204')]).to.deep.equal([`${mark} 771204`, `482136 ${mark}`]);
  });

  it('takes out of a message what it quotes of a secret', () => {
    const { message, text } = reading(['hush-correct horse_1234!']);
    expect(message("unexpected token: 'hush'")).to.equal(`unexpected token: '${mark}'`);
    expect(message('there is no function `horse_1234`')).to.equal(`there is no function \`${mark}\``);
    expect(message("'other' is not defined, 'hus' neither")).to.equal("'other' is not defined, 'hus' neither");
    expect(text("'horse_1234'")).to.equal("'horse_1234'");
  });

  const most = isLong ? 4_000_000 : 1_000_000;
  it(`takes a text of ${most} characters, hundreds of secrets, and both together, in linear time`, () => {
    const many = Array.from({ length: 300 }, (_, index) => `prod-key-prefix-${index}-${'xyz'.repeat(index % 40)}`);
    const periodic = ['a'.repeat(60), 'a'.repeat(5000), `${'ab'.repeat(2000)}c`];
    const run = reading([...many, ...periodic]);
    const times = [most / 8, most].map((length) => {
      const took = ownTime();
      const hostile = ['prod-key-prefix-', 'a'.repeat(59) + 'b', 'ab'.repeat(50)].map((part) =>
        part.repeat(Math.ceil(length / part.length)).slice(0, length),
      );
      for (const text of hostile) {
        expect(run.json(JSON.stringify([text, 'prod-key-prefix-0-'])))
          .to.be.a('string')
          .that.includes(mark);
        expect(run.text(text).length).to.be.greaterThan(0);
      }
      return took();
    });
    // Eight times as long: quadratic would be 64 times.
    expect((times[1] ?? 0) / (times[0] ?? 1), times.join(' and ')).to.be.lessThan(30);
    const deep = JSON.stringify('\\"'.repeat(most / 2));
    expect(run.json(deep)).to.equal(deep);
  });

  it('costs little where there is nothing to find', () => {
    const secrets: Value[] = [
      'correct horse battery',
      'sk_live_51Hxyz',
      'postgres://u:p@h/db',
      '0123456789abcdef',
      'Ünïcödé-Ge#eim',
    ];
    const { json: clean } = reading(secrets);
    const big = JSON.stringify(
      Array.from({ length: 700 }, (_, index) => ({ id: index, name: `node ${index}`, value: 'some text here' })),
    );
    for (let round = 0; round < 50; round++) clean(big);
    const took = ownTime();
    for (let round = 0; round < 20; round++) clean(big);
    expect(took() / 20, `${big.length} characters`).to.be.lessThan(allowedMs(5));
  });
});
