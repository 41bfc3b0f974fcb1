import { createHash } from 'node:crypto';
import type { Diagnostic } from '../engine/index.js';
import { formatJson, isRecord, NotJson, parseExactly, readWith } from '../json/index.js';
import { modelLimits } from './limits.js';

/** A model as it is stored: JSON without white space, every number with all its digits, and the SHA-256 (hex) of that. */
export interface Document {
  readonly hash: string;
  readonly text: string;
  readonly model: Readonly<Record<string, unknown>>;
}

/** Why a file holds no model; `at` is the position in the file, counted from 1. */
export interface UnreadDiagnostic {
  readonly diagnostic: Diagnostic;
  readonly at?: { readonly line: number; readonly column: number };
}

/** Reads a file's bytes as a model. What is no JSON object at all can't be stored, not even with faults. */
export function readDocument(bytes: Uint8Array): { document: Document } | UnreadDiagnostic {
  if (bytes.length > modelLimits.fileBytes) return refused(`The file is larger than ${modelLimits.fileBytes} bytes.`);
  let text: string;
  try {
    // A byte order mark is taken off.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused('The file is not UTF-8 text.');
  }
  let model: unknown;
  try {
    model = JSON.parse(text);
  } catch {
    return syntaxDiagnostic(text, offsetOfSyntaxError(text));
  }
  return documentFrom(model, () => parseExactly(text, model));
}

/**
 * A document of a parsed model.
 * @param exact gives the model with all digits of its numbers; asked for once the depth of the model is known to be small
 */
export function documentFrom(model: unknown, exact: () => unknown): { document: Document } | UnreadDiagnostic {
  if (!isRecord(model)) return refused('A model is a JSON object with `nodes` and `edges`.');
  if (isDeeper(model, modelLimits.jsonDepth)) {
    return refused(`The JSON nests deeper than ${modelLimits.jsonDepth} levels.`);
  }
  const document = documentOfValue(model, exact());
  // `1e20` becomes 21 digits.
  if (Buffer.byteLength(document.text) > modelLimits.fileBytes) {
    return refused(`The model is larger than ${modelLimits.fileBytes} bytes with its numbers written out.`);
  }
  return { document };
}

/** A model that came within another document. @param exact the same with its long numbers (`parseExactly`) */
export function documentOfValue(model: Readonly<Record<string, unknown>>, exact: unknown): Document {
  const text = formatJson(exact);
  return { hash: createHash('sha256').update(text).digest('hex'), text, model };
}

const refused = (message: string): { diagnostic: Diagnostic } => ({ diagnostic: { code: 'model_invalid', message } });

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/**
 * The offset at which a text that `JSON.parse` refuses stops being JSON; V8 names it in some of its messages only. The
 * text's length where it ends too early.
 */
export function offsetOfSyntaxError(text: string): number {
  try {
    readWith(text, {
      number: () => 0,
      container(level, { at }) {
        // What is too deep would be refused if it were JSON; nobody recurses further for the sake of a location.
        if (level > modelLimits.jsonDepth) throw new NotJson(text, at, at);
      },
    });
  } catch (error) {
    if (error instanceof NotJson) return error.tokenAt;
    throw error;
  }
  return text.length;
}

function syntaxDiagnostic(text: string, offset: number): UnreadDiagnostic {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const line = text.slice(0, offset).split('\n').length;
  const reason = offset === text.length ? 'it ends too early' : 'an unexpected character';
  // One line of a model without line ends may be megabytes long.
  const from = Math.max(start, offset - 60);
  const source = text.slice(from, Math.min(end === -1 ? text.length : end, offset + 40));
  const column = offset - start + 1;
  const message = `The file is not JSON: ${reason} at line ${line}, column ${column}.`;
  const diagnostic: Diagnostic = { code: 'model_invalid', message, source, span: [offset - from, offset - from + 1] };
  return { diagnostic, at: { line, column } };
}
