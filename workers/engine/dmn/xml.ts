import { Parser } from 'saxen';
import { EngineError } from '../errors.js';
import { ReadElement, type Element } from './element.js';

/** By version. */
export const namespaces: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'http://www.omg.org/spec/DMN/20151101/dmn.xsd': '1.1',
    // As early versions of Camunda's modeler write it.
    'http://www.omg.org/spec/DMN/20151101/dmn11.xsd': '1.1',
    'http://www.omg.org/spec/DMN/20180521/MODEL/': '1.2',
    'https://www.omg.org/spec/DMN/20191111/MODEL/': '1.3',
    'https://www.omg.org/spec/DMN/20211108/MODEL/': '1.4',
    'https://www.omg.org/spec/DMN/20230324/MODEL/': '1.5',
  }),
);

/** A kind of document: its root, and the namespaces that its elements are of. */
export interface Format {
  readonly root: string;
  readonly namespaces: readonly string[];
  /** In words. */
  readonly known: string;
}

const dmn: Format = {
  root: 'definitions',
  namespaces: [...namespaces.keys()],
  known: `DMN ${[...new Set([...namespaces.values()])].join(', ')}`,
};

/** Elements within one another. */
const deepest = 200;
/** Elements of one document, DMN's own. */
const mostElements = 2_000_000;

/** Units of a document that an error shows before and after its place. */
const shownUnits = 80;

/** An error of the document at a unit of it. */
function documentError(message: string, xml: string, offset: number): EngineError {
  const before = xml.slice(0, offset).split(/\r\n|\r|\n/);
  const at = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  const start = Math.max(offset - at.column + 1, offset - shownUnits);
  const [source = ''] = xml.slice(start, offset + shownUnits).split(/[\r\n]/, 1);
  const span = [offset - start, offset - start + 1] as const;
  return new EngineError('model_invalid', `Line ${at.line}, column ${at.column}: ${message}`, { at, source, span });
}

/** Characters that no document has (XML 1.0, section 2.2). */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** What the parser puts before names of the format's namespaces: no prefix of a document, which would need no declaration then. */
const ownPrefix = '!';
const ownName = `${ownPrefix}:`;

/** Its prefix, `xml`, needs no declaration (Namespaces in XML, section 3). */
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/**
 * Reads a document of DMN 1.1 to 1.5. Document types and entities other than XML's own are refused, so that nothing grows
 * and nothing is fetched.
 * @throws EngineError `model_invalid` that names line and column
 */
export function readXml(xml: string, format = dmn): Element {
  if (xml.trim() === '') throw documentError('the document is empty: its text belongs into `xml`.', xml, 0);
  const strange = forbidden.exec(xml);
  if (strange !== null) {
    const code = strange[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw documentError(`U+${code} is no character of XML.`, xml, strange.index);
  }
  const reader = new XmlReader(xml, format);
  const parser = new Parser();
  parser.ns({ ...Object.fromEntries(format.namespaces.map((uri) => [uri, ownPrefix])), [xmlNamespace]: 'xml' });
  const fail = (error: Error): never => {
    throw error instanceof EngineError ? error : reader.error(`this is not XML: ${error.message}.`);
  };
  parser.on('error', fail);
  parser.on('warn', fail);
  parser.on('attention', () => fail(reader.error('a document type or entity is declared, which is not allowed.')));
  parser.on('openTag', (name, attributes) => reader.open(name, attributes));
  parser.on('closeTag', (_name, _decode, selfClosing) => reader.close(selfClosing));
  parser.on('text', (text) => reader.text(text));
  parser.on('cdata', (text) => {
    reader.pass('<![CDATA[', text.length + 3);
    reader.characters(text);
  });
  parser.on('comment', (text) => reader.pass('<!--', text.length + 3));
  parser.on('question', (text) => reader.pass('<?', text.length - 2));
  parser.parse(xml);
  return reader.root();
}

const tagMarks = />|"[^"]*"|'[^']*'/g;

/** A tag to its end; each mark can be read in one way alone. */
const wholeTag = /^[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>/;

class XmlReader {
  readonly #xml: string;
  readonly #open: ReadElement[] = [];
  #root: ReadElement | undefined;
  #depth = 0;
  #elements = 0;
  /** Depth of the element of another namespace that is being left out. */
  #skipped: number | undefined;
  /** The unit up to which the document was read: the parser tells no offsets, but what it meets, in order. */
  #read = 0;

  readonly #format: Format;

  constructor(xml: string, format: Format) {
    this.#xml = xml;
    this.#format = format;
  }

  error(message: string): EngineError {
    return documentError(message, this.#xml, this.#read);
  }

  /** Goes on to the next of such marks, and so many units beyond it; gives the mark's place. */
  pass(mark: string, units: number): number {
    const found = this.#xml.indexOf(mark, this.#read);
    if (found !== -1) this.#read = found + mark.length + units;
    return found;
  }

  open(name: string, attributes: () => Record<string, string>): void {
    const offset = this.pass('<', 0);
    const next = this.#xml.indexOf('<', this.#read);
    const tag = this.#xml.slice(this.#read, next === -1 ? undefined : next);
    // The parser takes it, and all places that are read after it would be others.
    if (!wholeTag.test(tag)) throw this.error('a tag has `<` in it, which is written `&lt;`.');
    this.#depth++;
    if (this.#depth > deepest) throw this.error(`elements are nested more than ${deepest} deep.`);
    if (this.#skipped !== undefined) return;
    if (!name.startsWith(ownName)) {
      if (this.#depth === 1) {
        throw this.error(
          `\`${name.slice(name.indexOf(':') + 1)}\` is of another namespace than those of ${this.#format.known}.`,
        );
      }
      this.#skipped = this.#depth;
      return;
    }
    this.#checkEntities(tag);
    if (++this.#elements > mostElements) throw this.error('the document has too many elements.');
    const parent = this.#open.at(-1);
    const element = new ReadElement(name.slice(ownName.length), ownAttributes(attributes()), offset, parent);
    if (parent === undefined) this.#root = element;
    else parent.children.push(element);
    this.#open.push(element);
  }

  close(selfClosing: boolean): void {
    const at = selfClosing ? undefined : this.pass('</', 0);
    const depth = this.#depth--;
    if (this.#skipped !== undefined) {
      if (this.#skipped === depth) this.#skipped = undefined;
      return;
    }
    const element = this.#open.pop();
    if (element === undefined) return;
    element.number();
    element.end = at === undefined ? this.#endOfTag(element.offset) : this.#xml.indexOf('>', at) + 1;
  }

  /** The first unit after a start tag; values of attributes may have its mark. */
  #endOfTag(offset: number): number {
    tagMarks.lastIndex = offset;
    for (let mark = tagMarks.exec(this.#xml); mark !== null; mark = tagMarks.exec(this.#xml))
      if (mark[0] === '>') return mark.index + 1;
    return this.#xml.length;
  }

  text(text: string): void {
    if (this.#skipped !== undefined) return;
    this.#checkEntities(text);
    this.characters(decoded(text));
  }

  characters(text: string): void {
    const open = this.#open.at(-1);
    if (this.#skipped === undefined && open !== undefined) open.text += text;
  }

  root(): Element {
    const root = this.#root;
    if (root === undefined) throw this.error('there is no element.');
    const { root: wanted } = this.#format;
    if (root.name !== wanted) throw documentError(`the root is not \`${wanted}\`.`, this.#xml, root.offset);
    return root;
  }

  #checkEntities(text: string): void {
    if (!text.includes('&')) return;
    const other = /&[^;\s<]{0,40};?/.exec(text.replace(entity, ''));
    if (other !== null) throw this.error(`\`${other[0]}\` is no entity of XML.`);
  }
}

/** Attributes with names of the model: modelers break long ones into lines, which are a blank to FEEL. */
const names: ReadonlySet<string> = new Set(['name', 'typeRef']);
const inOneLine = (text: string): string => (/[\t\r\n]/.test(text) ? text.replace(/\s+/g, ' ') : text).trim();

/** Without a prototype: any name may be asked for. The parser gives values as they are written. */
function ownAttributes(attributes: Record<string, string>): Element['attributes'] {
  const own: Record<string, string> = { ...attributes };
  for (const [name, value] of Object.entries(own)) {
    if (value.includes('&')) own[name] = decoded(value);
    if (names.has(name)) own[name] = inOneLine(own[name] ?? '');
  }
  return Object.setPrototypeOf(own, null) as Element['attributes'];
}

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }),
);
const entity = /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(amp|apos|gt|lt|quot));/g;

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(entity, (_, hex?: string, decimal?: string, name: string = '') => {
        const code = hex !== undefined ? parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : undefined;
        if (code === undefined) return named.get(name) ?? '';
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
      })
    : text;
