import { expect } from 'chai';
import fc from 'fast-check';
import type { Reply } from '../../../src/http/server/response.js';
import { fieldList, html, languagesOf, namedValues, printedReply } from '../../../src/api/printed.js';

const textOf = ({ body }: Reply): string => (typeof body === 'string' ? body : '');

describe('a page to print', () => {
  it('has no mark-up but its own, whatever texts are put into it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, value) => {
        const page = printedReply(
          name,
          html`<p title="${name}">${value}</p>
            ${namedValues([[name, value]])}`,
        );
        const text = textOf(page).replace(/<style>[^]*<\/style>/, '');
        const tags = text.match(/<[^>]*/g) ?? [];
        const own = /^<(?:!doctype html|\/?(?:html|head|body|main|p|dl|dt|dd|title)|meta)(?: [^<]*)?$/;
        expect(tags.filter((tag) => !own.test(tag))).to.deep.equal([]);
      }),
    );
  });

  it('runs no script and loads nothing, also as a file that was stored', () => {
    const page = printedReply('T', html`<p></p>`);
    const { headers = {} } = page;
    expect(headers['Content-Security-Policy']).to.match(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
    );
    expect(textOf(page)).to.include(`content="default-src 'none'; style-src 'sha256-`);
  });

  it('shows fields by their paths, and says how many there are more', () => {
    const { text } = fieldList({ shown: [['a.b[0]', '<1>']], left: 300 });
    expect(text.replaceAll(/\s+/g, ' ')).to.equal(
      '<dl> <dt>a.b[0]</dt> <dd>&lt;1&gt;</dd> </dl> <p>and 300 more fields</p>',
    );
  });

  it('reads which languages its reader understands, the best first, and nothing else', () => {
    expect(languagesOf('fi-FI, sv;q=0.8, en;q=0.9, *;q=0.1')).to.deep.equal(['fi-FI', 'en', 'sv']);
    expect(languagesOf('de;q=0, "><script>, en')).to.deep.equal(['en']);
    expect(languagesOf(undefined)).to.deep.equal([]);
  });
});
