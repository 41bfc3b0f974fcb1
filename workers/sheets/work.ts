import { dmnOf, type Diagnostic, type Limits } from '../engine/index.js';
import { compareModels } from '../models/compare/modelDifferences.js';
import { checkModel } from '../models/check.js';
import { documentOfValue } from '../models/document.js';
import { formatJson, parseExactly } from '../json/index.js';
import { modelLimits } from '../models/limits.js';
import { factsSheet, readFacts, writeAnswers } from './facts/batch.js';
import type { TestSchemas } from './facts/testColumns.js';
import { exportTests, importTests, testsSheet } from './facts/tests.js';
import { cellNameAt, SheetError, sheetLimits, type Workbook } from './files/grid.js';
import { readWorkbook } from './files/index.js';
import { convertTable, type Wanted } from './tables/convertTable.js';
import { changesColumns, findDmnTable, withRules } from './tables/dmnTable.js';
import { exportTable, tableSheet } from './tables/exportTable.js';
import { importTable } from './tables/importTable.js';
import { offersOf } from './tables/offers.js';
import { readFrom, type Asked } from './tables/readFrom.js';
import { columnsOf, findTable, type Json } from './tables/tableOfModel.js';
import type {
  ConvertAnswer,
  ConvertTask,
  ExportAnswer,
  ExportTask,
  ImportedSheet,
  ImportSheetAnswer,
  ImportSheetTask,
  ReadFactsAnswer,
  ReadFactsTask,
  Refusal,
  SheetAnswers,
  SheetPart,
  SheetTask,
  WriteAnswersTask,
} from './tasks.js';
import {
  diagnosticsOfNotes,
  diagnosticsOfOthers,
  diagnosticsOfStrangers,
  doubtsOf,
  locate,
  mostNotes,
  noLocations,
} from './notes.js';

interface WorkLimits {
  readonly limits: Limits;
  readonly timeLimitMs: number;
}

/** Does one task on a spreadsheet. Never throws for what a file holds. */
export function workOnSheet(task: SheetTask, limits: WorkLimits): SheetAnswers[SheetTask['kind']] {
  switch (task.kind) {
    case 'exportSheet':
      return exportPart(task);
    case 'importSheet':
      return importPart(task);
    case 'convertSheet':
      return convert(task, limits);
    case 'readFacts':
      return facts(task);
    case 'writeAnswers':
      return answers(task);
  }
}

function exportPart({ text, part, format }: ExportTask): ExportAnswer {
  const model = parseExactly(text) as Json;
  return refusing({ bytes: null, name: '' }, () => {
    if (part.kind === 'tests') return { bytes: exportTests(model, format), name: '' };
    const xml = dmnOf(model);
    const table = xml === undefined ? findTable(model, part.nodeId) : findDmnTable(xml, part.nodeId);
    if (table === undefined) return { bytes: null, name: '' };
    const { decisionId } = part;
    return { bytes: exportTable(table, { decisionId, format }), name: nameOf(table.node) };
  });
}

const nameOf = ({ name, id }: Json): string => String(typeof name === 'string' && name !== '' ? name : id);

function importPart({ text, part, bytes, format, ...wanted }: ImportSheetTask): ImportSheetAnswer {
  const model = parseExactly(text) as Json;
  return refusing({ imported: null }, () => {
    const isTests = part.kind === 'tests';
    const xml = isTests ? undefined : dmnOf(model);
    if (!isTests && xml !== undefined)
      return importDmn({ model, xml, part }, readWorkbook(bytes, format, tableSheet, wanted.sheet), wanted);
    const table = isTests ? undefined : findTable(model, part.nodeId);
    if (!isTests && table === undefined) return { imported: null };
    const name = isTests ? testsSheet : tableSheet;
    const known = table === undefined ? undefined : columnsOf(table.content);
    const workbook = readFrom(wanted, readWorkbook(bytes, format, name, wanted.sheet), known);
    const { sheet } = workbook;
    if (table === undefined || isTests) {
      const { model: next, faults, strangers, notes } = importTests(model, sheet, testSchemasOf(part));
      const told = { ...workbook, sheet: { ...sheet, notes: [...sheet.notes, ...notes] } };
      const found = { faults, conflicts: [], locations: noLocations(sheet.name), pointer: '/tests' };
      const imported = importedSheet(model, next, { workbook: told, ...found });
      return {
        imported: { ...imported, diagnostics: [...diagnosticsOfStrangers(strangers), ...imported.diagnostics] },
      };
    }
    const imported = importTable(table, workbook, part.decisionId, wanted.prefer);
    const nodes = (model['nodes'] as unknown[]).with(table.index, { ...table.node, content: imported.content });
    const pointer = `/nodes/${table.index}/content`;
    const told = { ...workbook, sheet: { ...sheet, notes: [...sheet.notes, ...imported.notes] } };
    const found = importedSheet(model, { ...model, nodes }, { workbook: told, ...imported, pointer });
    const offers = workbook.hidden === undefined ? offersOf(sheet, columnsOf(table.content)) : [];
    return { imported: { ...found, diagnostics: [...found.diagnostics, ...offers, ...imported.hints] } };
  });
}

/** What the decision takes and gives, where the server has found it out; undefined where it has not. */
const testSchemasOf = ({ schemas }: SheetPart & { readonly schemas?: string | undefined }): TestSchemas | undefined =>
  schemas === undefined ? undefined : (JSON.parse(schemas) as TestSchemas);

interface DmnTarget {
  readonly model: Json;
  readonly xml: string;
  readonly part: Extract<SheetPart, { readonly kind: 'table' }>;
}

/** Brings a sheet into a table of DMN: cells and rules, since its columns are typed and made in a modeler. */
function importDmn({ model, xml, part }: DmnTarget, file: Workbook, wanted: Asked): ImportSheetAnswer {
  const table = findDmnTable(xml, part.nodeId);
  if (table === undefined) return { refusal: null, imported: null };
  const workbook = readFrom(wanted, file, columnsOf(table.content));
  const { sheet } = workbook;
  const imported = importTable(table, workbook, part.decisionId, wanted.prefer);
  const isOther = changesColumns(table.content, imported.content);
  const faults = isOther
    ? [
        `${cellNameAt(sheet.name, 0, 0)}: the columns are not those of the table; a table of DMN gets columns on the desk, or in a modeler.`,
      ]
    : imported.faults;
  const next = isOther ? model : { ...model, xml: withRules(table, imported.content) };
  const { pointer } = table.element;
  // Nothing of a document can keep the question for later.
  const notes = [...sheet.notes, ...imported.notes, ...doubtsOf(sheet, imported)];
  const told = { ...workbook, sheet: { ...sheet, notes } };
  return { refusal: null, imported: importedSheet(model, next, { workbook: told, ...imported, faults, pointer }) };
}

interface Found extends Pick<ImportedSheet, 'conflicts' | 'locations' | 'pointer'> {
  readonly workbook: Workbook;
  readonly faults: readonly string[];
}

function importedSheet(
  before: Json,
  after: Json,
  { workbook, faults, conflicts, locations, pointer }: Found,
): ImportedSheet {
  const { hash, text } = documentOfValue(after, after);
  return {
    document: { hash, text: Buffer.from(text) },
    differences: formatJson(compareModels(before, after)),
    diagnostics: [...diagnosticsOfOthers(workbook), ...diagnosticsOfNotes(workbook.sheet, faults)],
    conflicts,
    locations,
    pointer,
  };
}

function convert(
  { bytes, format, inputs, outputs, ...wanted }: ConvertTask,
  { limits, timeLimitMs }: WorkLimits,
): ConvertAnswer {
  const nothing = { missing: [], converted: '', diagnostics: [] };
  return refusing(nothing, () => {
    const workbook = readFrom(wanted, readWorkbook(bytes, format, tableSheet, wanted.sheet), []);
    const made = convertTable(workbook, sidesOf({ inputs, outputs, ...wanted }));
    const content = formatJson(made.model);
    if (content.length > modelLimits.fileBytes) throw tooLargeModel();
    const { check } = checkModel({ kind: 'check', text: content, isItem: false }, { limits, timeLimitMs });
    const located = check.diagnostics.map((diagnostic) => locate(diagnostic, made.locations, '/nodes/1/content'));
    const sheet = { ...workbook.sheet, notes: [...workbook.sheet.notes, ...made.notes] };
    // What else is told of a sheet is so because of the title above its names.
    const diagnostics: Diagnostic[] = [
      ...diagnosticsOfOthers(workbook),
      ...(workbook.hidden === undefined ? offersOf(workbook.sheet) : []),
      ...(made.title === undefined
        ? [...made.guess, ...diagnosticsOfNotes(sheet, made.faults), ...made.hints, ...located]
        : diagnosticsOfNotes({ ...sheet, notes: [] }, made.faults)),
    ];
    const names = JSON.stringify({ inputs: made.inputs, outputs: made.outputs, note: made.note ?? null });
    return { missing: made.missing, converted: `{"content":${content},${names.slice(1)}`, diagnostics };
  });
}

/** The last column of a matrix has its values, however the others are called. */
function sidesOf({ inputs, outputs, matrix }: Pick<ConvertTask, 'inputs' | 'outputs' | 'matrix'>): Wanted {
  const isAsked = inputs !== null || outputs !== null;
  if (matrix !== undefined && !isAsked) return { inputs: matrix.slice(0, -1), outputs: matrix.slice(-1) };
  return { inputs: inputs ?? undefined, outputs: outputs ?? undefined };
}

const tooLargeModel = (): SheetError =>
  new SheetError('large', `The model of the sheet would have more than ${modelLimits.fileBytes} characters.`);

const facts = ({ bytes, format, schemas, ...asked }: ReadFactsTask): ReadFactsAnswer =>
  refusing({ items: new Uint8Array(0), count: 0, faults: [], refused: new Map(), questions: [] }, () => {
    const { sheet } = readWorkbook(bytes, format, factsSheet);
    const known =
      schemas === null ? {} : (JSON.parse(schemas) as { readonly input?: unknown; readonly inferred?: unknown });
    const { isMeant, takesOthers } = asked;
    const rules = { input: known.input, isDeclared: known.inferred === false, isMeant, takesOthers };
    const { items, faults, ...told } = readFacts(sheet, { mostCharacters: longestFacts(bytes), ...rules });
    const errors = sheet.notes.filter(({ severity }) => severity === 'error');
    const messages = errors.map(({ row, column, message }) => `${cellNameAt(sheet.name, row, column)}: ${message}`);
    const all = [...faults, ...messages].slice(0, mostNotes);
    const { refused } = told;
    const questions = told.questions.slice(0, mostNotes);
    const lines = all.length > 0 ? new Uint8Array(0) : linesOf(items);
    return { items: lines, count: items.length, faults: all, refused, questions };
  });

/**
 * Characters that the facts of a file may have as JSON. Each row repeats the titles of the columns, so that a small file with
 * long titles would become a hundred times its size.
 */
const longestFacts = ({ length }: Uint8Array): number => Math.min(sheetLimits.totalBytes, 1024 * 1024 + 16 * length);

function linesOf(texts: readonly string[]): Uint8Array {
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  const lines = Buffer.from(new SharedArrayBuffer(size));
  let at = 0;
  for (const text of texts) at += lines.write(`${text}\n`, at);
  return lines;
}

function answers({ bytes, format, schemas, answers: texts }: WriteAnswersTask): SheetAnswers['writeAnswers'] {
  const { sheet, delimiter } = readWorkbook(bytes, format, factsSheet);
  const { output } = schemas === null ? {} : (JSON.parse(schemas) as { readonly output?: unknown });
  return { bytes: writeAnswers(sheet, texts, delimiter, output) };
}

function refusing<T extends object>(nothing: T, read: () => T): T & { readonly refusal: Refusal | null } {
  try {
    return { refusal: null, ...read() };
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    return { refusal: { kind: error.kind, message: error.message }, ...nothing };
  }
}
