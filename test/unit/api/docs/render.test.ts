import { expect } from 'chai';
import { anchorOf, renderGuide } from '../../../../src/api/docs/render.js';

const html = (markdown: string): string => renderGuide(markdown).html;

describe('guides as HTML', () => {
  it('give headings the anchors that GitHub gives them', () => {
    expect(anchorOf('A tour up to the first execution')).to.equal('a-tour-up-to-the-first-execution');
    expect(anchorOf('ETag and `If-Match`: §1')).to.equal('etag-and-if-match-1');
    expect(html('## When a delivery fails')).to.equal('<h2 id="when-a-delivery-fails">When a delivery fails</h2>\n');
  });

  it('link to the pages of other guides, and to nothing that no page serves', () => {
    expect(html('[e](errors.md#every-code)')).to.include('<a href="errors#every-code">e</a>');
    expect(html('[w](https://example.com/a)')).to.include('href="https://example.com/a"');
    for (const target of ['../README.md', 'nothing.md', 'errors', 'javascript:alert(1)'])
      expect(() => html(`[x](${target})`), target).to.throw('is not served');
  });

  it('link error codes to their pages, and no other code', () => {
    const shown = html('`overloaded` and `COMPLETED`, `toString`');
    expect(shown).to.include('<a href="../problems/overloaded"><code>overloaded</code></a>');
    expect(shown).to.include(' <code>COMPLETED</code>, <code>toString</code>');
  });

  it('leave out marks for tests, and keep examples as text', () => {
    const shown = html('<!-- run -->\n```sh\necho "<b>"\n```\n<!-- /run -->\n');
    expect(shown).to.not.include('run -->');
    expect(shown).to.include('<span class="s">&quot;&lt;b&gt;&quot;</span>');
  });

  it('have one place for samples that follow each other in several languages, each with what it prints', () => {
    const shown = html('```sh curl\na\n```\n\n```text\n1\n```\n\n```ts\nb\n```\n\ntext\n\n```python\nc\n```\n');
    expect([...shown.matchAll(/data-language="([^"]*)"/g)].map(([, language]) => language)).to.deep.equal([
      'curl',
      'TypeScript',
    ]);
    expect(shown.match(/class="samples"/g)).to.have.length(1);
    expect(shown.indexOf('class="output"')).to.be.within(shown.indexOf('curl'), shown.indexOf('TypeScript'));
  });

  it('mark comments, strings and words in samples, and change no letter of them', () => {
    const code = "# it's\nexport A='b # c' $D\n";
    const shown = html(`\`\`\`sh\n${code}\`\`\`\n`);
    expect(shown).to.include('<span class="c"># it\'s</span>').and.to.include('<span class="s">\'b # c\'</span>');
    expect(shown.replaceAll(/<[^>]*>/g, '').trim()).to.equal(code.trim());
  });

  it('are known to the search by their headings, without the marks of Markdown', () => {
    const { sections } = renderGuide(
      '# Guide\n\nOne `two`.\n\n## Heading\n\n| a | b |\n|---|---|\n| [c](errors.md) | d |\n',
    );
    expect(sections).to.deep.equal([
      { anchor: '', title: '', text: 'One two .' },
      { anchor: 'heading', title: 'Heading', text: 'a b c d' },
    ]);
  });
});
