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

  /** Each cell names its column: on a narrow screen cells are stacked, without the header. */
  override table({ header, rows }: Tokens.Table): string {
    const line = (cells: readonly Tokens.TableCell[], cell: (content: string, column: number) => string): string =>
      `<tr>${cells.map(({ tokens }, column) => cell(this.parser.parseInline(tokens), column)).join('')}</tr>\n`;
    const labels = header.map(({ text }) => escape(text));
    const body = rows.map((row) =>
      line(row, (content, column) => `<td data-label="${labels[column] ?? ''}">${content}</td>`),
    );
    return `<table>\n<thead>\n${line(header, (content) => `<th>${content}</th>`)}</thead>\n<tbody>\n${body.join('')}</tbody>\n</table>\n`;
  }

  /** HTML in a guide is only marks for tests. */
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

/** Escapes the value of an attribute in double quotes. */
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('`', '');
