import { isRecord } from '../../json/index.js';
import type { Footprint } from '../footprint.js';
import type { Report } from '../jdm/reader.js';
import { withDates } from '../schema/dates.js';
import { compileSchema, type SchemaCheck } from '../schema/compile.js';
import type { CompiledNode, ParsedNode, Role } from './nodeType.js';

/** An input or output node: passes its input on, after its JSON Schema, if it has one; a fact's date fields as dates. */
export function checkedPassage(role: Role, content: unknown, report: Report): ParsedNode {
  const schema = readSchema(content, report);
  return { role, schema, expressions: () => [], compile: ({ footprint }) => passage(role, schema, footprint) };
}

/** The schema as text or object; undefined where there is none, or only blank text. */
function readSchema(content: unknown, report: Report): unknown {
  if (content === undefined || content === null) return undefined;
  if (!isRecord(content)) {
    report({ code: 'model_invalid', message: '`content` must be an object.', field: 'content', pointer: '/content' });
    return undefined;
  }
  const schema = content['schema'];
  if (schema === undefined || schema === null) return undefined;
  if (typeof schema === 'string') return readText(schema, report);
  if (isRecord(schema) || typeof schema === 'boolean') return schema;
  report({ code: 'model_invalid', message: '`content.schema` must be a JSON Schema.', ...schemaLocation });
  return undefined;
}

const schemaLocation = { field: 'content.schema', pointer: '/content/schema' };

/** A text that is no JSON checks nothing, here as in the reference engine. */
function readText(schema: string, report: Report): string | undefined {
  if (schema.trim() === '') return undefined;
  try {
    JSON.parse(schema);
    return schema;
  } catch {
    const message = 'The JSON Schema is not JSON, so nothing is checked.';
    report({ code: 'model_invalid', severity: 'warning', message, ...schemaLocation });
    return undefined;
  }
}

function passage(role: Role, schema: unknown, footprint: Footprint): CompiledNode {
  if (schema === undefined) return { run: (input) => input, trace: (input) => input };
  // Compiled by the first run: it takes milliseconds, and many programs are compiled for each that runs.
  let check: SchemaCheck | undefined;
  const run: CompiledNode['run'] = (input, { session, depth }) => {
    check ??= compileSchema(schema, footprint);
    // A fact as JSON.parse gave it needs no look, and the server has bounded its size.
    const isPlain = role === 'input' && depth === 0 && session.plainFact;
    const dates = check(input, session.run, isPlain);
    return role === 'input' && dates !== undefined ? withDates(input, dates, session.run) : input;
  };
  return { run, trace: run };
}
