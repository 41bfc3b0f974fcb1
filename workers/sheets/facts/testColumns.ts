import { headingText } from '../../cells/index.js';
import { schemasOf } from '../../engine/index.js';
import { isRecord, recordsIn } from '../../json/index.js';
import { columnsOf, type Json } from '../tables/tableOfModel.js';
import type { PathColumn } from './columns.js';
import { readPath, type Step } from './paths.js';

// Who writes tests in a spreadsheet calls their columns as those of the table are called.

const sameName = (name: string): string => headingText(name).toLowerCase();

/** The column as one of a test, where its title names a field of the decision or a column of one of its tables. */
export function asTestColumn(model: Json): (column: PathColumn) => PathColumn {
  const { places, headed } = placesIn(model);
  return (column) => {
    const isField = column.steps[0] === 'input' || column.steps[0] === 'output';
    const steps = isField ? headed.get(column.title) : places.get(sameName(column.title));
    return steps === undefined ? column : { ...column, steps };
  };
}

/** What is given goes before what is decided: a fact may be passed on under its name. */
function placesIn(model: Json): {
  readonly places: ReadonlyMap<string, readonly Step[]>;
  /** `output.kr/år inkl. moms` is called as its column, too, whose field has no dot. */
  readonly headed: ReadonlyMap<string, readonly Step[]>;
} {
  const places = new Map<string, readonly Step[]>();
  const headed = new Map<string, readonly Step[]>();
  const put = (name: unknown, part: 'input' | 'output', field: readonly Step[]): void => {
    if (typeof name === 'string' && name.trim() !== '' && !places.has(sameName(name)))
      places.set(sameName(name), [part, ...field]);
  };
  const schemas = schemasOf(model);
  for (const part of ['input', 'output'] as const) {
    const { properties } = schemas[part] as Json;
    for (const name of isRecord(properties) ? Object.keys(properties) : []) put(name, part, [name]);
    for (const { type, content } of recordsIn(model['nodes'])) {
      if (type !== 'decisionTableNode' || !isRecord(content) || isMoved(content, part)) continue;
      for (const { kind, head, item } of columnsOf(content)) {
        const field = kind === part && typeof item['field'] === 'string' ? fieldSteps(item['field']) : undefined;
        if (field === undefined) continue;
        put(head, part, field);
        const [first, ...rest] = readPath(head) ?? [];
        const isOther = first !== field[0] || rest.join('.') !== field.slice(1).join('.');
        if (isOther && !(isRecord(properties) && Object.hasOwn(properties, String(first))))
          headed.set(`${part}.${head}`, [part, ...field]);
      }
    }
  }
  places.set('test', ['name']);
  places.set('test name', ['name']);
  return { places, headed };
}

/** Whether what a table reads or writes is a part of what its decision does. */
const isMoved = (content: Json, part: 'input' | 'output'): boolean =>
  content['executionMode'] === 'loop' || Boolean(content[part === 'input' ? 'inputField' : 'outputPath']);

function fieldSteps(field: string): readonly Step[] | undefined {
  const steps = readPath(field);
  return steps?.[0] === '$root' ? steps.slice(1) : steps;
}
