import { expect } from 'chai';
import { anchorOf, renderGuide } from '../../../../src/api/docs/render.js';

describe('guides as HTML', () => {
  it('give headings the anchors that GitHub gives them', () => {
    expect(anchorOf('A tour up to the first execution')).to.equal('a-tour-up-to-the-first-execution');
    expect(anchorOf('ETag and `If-Match`: §1')).to.equal('etag-and-if-match-1');
    expect(renderGuide('## When a delivery fails')).to.equal(
      '<h2 id="when-a-delivery-fails">When a delivery fails</h2>\n',
    );
  });

  it('link to the pages of other guides, and to nothing that no page serves', () => {
    expect(renderGuide('[e](errors.md#every-code)')).to.include('<a href="errors#every-code">e</a>');
    expect(renderGuide('[w](https://example.com/a)')).to.include('href="https://example.com/a"');
    for (const target of ['../README.md', 'nothing.md', 'errors', 'javascript:alert(1)'])
      expect(() => renderGuide(`[x](${target})`), target).to.throw('is not served');
  });

  it('link error codes to their pages, and no other code', () => {
    const html = renderGuide('`overloaded` and `COMPLETED`, `toString`');
    expect(html).to.include('<a href="../problems/overloaded"><code>overloaded</code></a>');
    expect(html).to.include(' <code>COMPLETED</code>, <code>toString</code>');
  });

  it('leave out marks for tests, and keep examples as text', () => {
    const html = renderGuide('<!-- run -->\n```sh\necho "<b>"\n```\n<!-- /run -->\n');
    expect(html).to.not.include('run -->');
    expect(html).to.include('echo &quot;&lt;b&gt;&quot;');
  });
});
