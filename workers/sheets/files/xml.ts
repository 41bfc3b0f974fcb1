import { Parser } from 'saxen';
import { SheetError } from './grid.js';

/** What is told of a document while it is read; names come without their prefix, attributes with their entities. */
interface XmlReader {
  readonly open?: (name: string, attributes: () => Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

export type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Reads a part of an .xlsx. Document types are refused, so there are no entities but those of XML itself.
 * @throws SheetError
 */
export const readXml = (xml: string, reader: XmlReader): void => {
  xmlReader(reader)(xml);
};

/** As `readXml`, for one text after another. */
export function xmlReader({ open, text, close }: XmlReader): (xml: string) => void {
  const parser = new Parser();
  parser.on('error', (error) => {
    throw error;
  });
  if (open !== undefined) {
    parser.on('openTag', (name, attributes) => open(local(name), attributes));
  }
  if (close !== undefined) parser.on('closeTag', (name) => close(local(name)));
  if (text !== undefined) {
    parser.on('text', (value) => text(decodedText(value)));
    parser.on('cdata', text);
  }
  return (xml) => {
    if (hasMarkup(xml) && (xml.includes('<!DOCTYPE') || xml.includes('<!ENTITY'))) {
      throw new SheetError(
        'broken',
        'A part of the file declares a document type or entities, which no spreadsheet needs.',
      );
    }
    try {
      parser.parse(xml);
    } catch (error) {
      if (error instanceof SheetError) throw error;
      throw new SheetError('broken', 'A part of the file is not XML.');
    }
  };
}

/** Whether it has comments, texts without entities, or declarations. One character is looked for in no time. */
export const hasMarkup = (xml: string): boolean => xml.includes('!') && xml.includes('<!');

const local = (name: string): string => {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
};

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }),
);

/** saxen's own decoder knows no characters beyond the basic plane. */
export const decodedText = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
        (whole, hex?: string, decimal?: string, name?: string) => {
          if (name !== undefined) return named.get(name) ?? whole;
          const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
          return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
        },
      )
    : text;
