import { Marked, Renderer, type Tokens } from 'marked';
import { problems } from '../../errors.js';
import { guides } from './guides.js';

/** The anchor of a heading, as GitHub makes it, so that one link serves the file and the page. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/**
 * The HTML of a guide's Markdown. Its links to other guides lead to their pages, and error codes to theirs.
 * @throws where it links to a file that is not served
 */
export const renderGuide = (markdown: string): string =>
  new Marked().parse(markdown, { async: false, renderer: new GuideRenderer() });

class GuideRenderer extends Renderer {
  override heading({ tokens, depth, text }: Tokens.Heading): string {
    return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  override link(link: Tokens.Link): string {
    return super.link({ ...link, href: served(link.href) });
  }

  override codespan(code: Tokens.Codespan): string {
    const shown = super.codespan(code);
    return Object.hasOwn(problems, code.text) ? `<a href="../problems/${code.text}">${shown}</a>` : shown;
  }

  /** In a box that can be scrolled sideways, for a wide table must not widen the page. */
  override table(table: Tokens.Table): string {
    return `<div class="table">${super.table(table)}</div>\n`;
  }

  /** HTML in a guide is marks for tests. */
  override html(): string {
    return '';
  }
}

function served(href: string): string {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (!guides.some((guide) => guide.name === name)) throw new Error(`A guide links to ${href}, which is not served.`);
  return name + anchor;
}
