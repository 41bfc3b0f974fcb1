import { Lexer, Parser, Renderer, type Token, type Tokens } from 'marked';
import { problems } from '../../errors.js';
import { guides } from './guides.js';

/** The anchor of a heading, as GitHub makes it, so that one link serves the file and the page. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** A part of a guide, as the search knows it. */
interface Section {
  /** Empty above the first heading of the second level. */
  readonly anchor: string;
  readonly title: string;
  readonly text: string;
}

/** A guide as HTML, and what its page and the search need to know of it. */
interface RenderedGuide {
  readonly html: string;
  readonly sections: readonly Section[];
}

/**
 * The HTML of a guide's Markdown. Its links to other guides lead to their pages, and error codes to theirs.
 * @throws where it links to a file that is not served
 */
export function renderGuide(markdown: string): RenderedGuide {
  const parser = new Parser({ renderer: new GuideRenderer() });
  const tokens = Lexer.lex(markdown);
  const html = groupSamples(tokens)
    .map((part) => (Array.isArray(part) ? samplesHtml(part) : parser.parse([part])))
    .join('');
  return { html, sections: sectionsOf(tokens) };
}

/** A sample, and what it prints. */
interface Sample {
  readonly code: Tokens.Code;
  readonly output: Tokens.Code | undefined;
}

const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === 'code';
const isSample = (token: Token | undefined): token is Tokens.Code =>
  isCode(token) && /^(sh|ts|python)\b/.test(token.lang ?? '');

/** Samples that follow each other are the same in several languages. */
function groupSamples(tokens: readonly Token[]): (Token | Sample[])[] {
  const parts: (Token | Sample[])[] = [];
  const rest = tokens.filter(({ type }) => type !== 'space');
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    if (!isSample(token)) {
      parts.push(token);
      continue;
    }
    const [next] = rest;
    const output = isCode(next) && next.lang === 'text' ? next : undefined;
    if (output !== undefined) rest.shift();
    const sample = { code: token, output };
    const last = parts.at(-1);
    if (Array.isArray(last) && !last.some(({ code }) => languageOf(code) === languageOf(token))) last.push(sample);
    else parts.push([sample]);
  }
  return parts;
}

const languages: Readonly<Record<string, string>> = {
  'sh curl': 'curl',
  'sh verdict': 'Command line',
  ts: 'TypeScript',
  python: 'Python',
};
const languageOf = ({ lang = '' }: Tokens.Code): string => languages[lang] ?? 'Shell';

function samplesHtml(samples: readonly Sample[]): string {
  const one = ({ code, output }: Sample): string =>
    `<div class="code"><pre class="sample"><code>${highlighted(code.text, code.lang ?? '')}</code></pre></div>\n${
      output === undefined || output.text === ''
        ? ''
        : `<pre class="output${output.text.includes('┌') ? ' drawn' : ''}"><code>${htmlText(output.text)}</code></pre>\n`
    }`;
  if (samples.length === 1) return samples.map(one).join('');
  const parts = samples.map((sample) => {
    const language = languageOf(sample.code);
    return `<section data-language="${language}">\n<p class="language">${language}</p>\n${one(sample)}</section>\n`;
  });
  return `<div class="samples">\n${parts.join('')}</div>\n`;
}

/** The text of each part between headings of the second level. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { anchor: string; title: string; text: string }[] = [{ anchor: '', title: '', text: '' }];
  for (const token of tokens) {
    if (token.type === 'heading' && token['depth'] === 2) {
      const title = String(token['text']);
      sections.push({ anchor: anchorOf(title), title: title.replaceAll('`', ''), text: '' });
    } else if (token.type !== 'html' && token.type !== 'heading') {
      const section = sections.at(-1);
      if (section !== undefined) section.text += ` ${plain(token.raw)}`;
    }
  }
  return sections.map((section) => ({ ...section, text: section.text.trim() }));
}

/** Without the marks of Markdown, in one line. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*$|^\|[-|]+\|$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/[`*|[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

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

  override code({ text, lang }: Tokens.Code): string {
    // What only shows something is nothing to paste.
    if (lang === 'text') return `<div class="code"><pre><code>${htmlText(text)}</code></pre></div>\n`;
    return `<div class="code"><pre class="sample"><code>${highlighted(text, lang ?? '')}</code></pre></div>\n`;
  }

  /** Each cell names its column: on a narrow screen cells are stacked, without the header. */
  override table({ header, rows }: Tokens.Table): string {
    const line = (cells: readonly Tokens.TableCell[], cell: (content: string, column: number) => string): string =>
      `<tr>${cells.map(({ tokens }, column) => cell(this.parser.parseInline(tokens), column)).join('')}</tr>\n`;
    const labels = header.map(({ text }) => attributeText(text));
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
const attributeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('`', '');

/** Text as HTML. */
const htmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const strings = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const words = (list: string): string => `(?<![\\w/.-])(?:${list.replaceAll(' ', '|')})(?![\\w/.-])`;

/** By the language: comments, words of it, names of variables. */
const patterns: Readonly<Record<string, readonly [comments: string, keywords: string]>> = {
  sh: [
    '(?<=^|\\s)#.*$',
    words('export curl verdict for in do done if then fi until cat sed grep printf mkdir cp echo'),
  ],
  ts: [
    '//.*$|/\\*[^]*?\\*/',
    words('import from const let async await function return if for of throw new interface as yield readonly'),
  ],
  python: ['#.*$', words('import from def return if for in while try except with as raise and or not None True False')],
  json: ['(?!)', words('true false null')],
};

/** Code as HTML, with its comments (`c`), strings (`s`), words of the language (`k`) and variables (`v`) marked. */
function highlighted(code: string, lang: string): string {
  const found = patterns[lang.split(' ', 1)[0] ?? ''];
  if (found === undefined) return htmlText(code);
  const [comments, keywords] = found;
  const pattern = new RegExp(`(?<c>${comments})|(?<s>${strings})|(?<k>${keywords})|(?<v>\\$\\w+)`, 'gm');
  let html = '';
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const [kind = ''] =
      Object.entries(match.groups ?? {}).find(([, text]: [string, string | undefined]) => text !== undefined) ?? [];
    html += `${htmlText(code.slice(at, match.index))}<span class="${kind}">${htmlText(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return html + htmlText(code.slice(at));
}
