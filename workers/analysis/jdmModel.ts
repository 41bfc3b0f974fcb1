import type { Program } from '../engine/index.js';
import { parseModel } from '../engine/jdm/model.js';
import { examineGraph, statementKey, type ExaminedTable } from './examinedGraph.js';
import { fieldsOf } from './fields.js';
import { jdmChanges } from './jdmChange.js';
import type { AnalysedModel, AnalysedTable, ExaminedModel, Statement, Version } from './model.js';
import { fieldPath } from './paths.js';
import { prove } from './proofs.js';
import { laidOver } from './search.js';
import { sharpened } from './sharperTests.js';
import { ruleIdsOf } from './tableNodes.js';
import { callsIn, runOn, tableProgram } from './witness.js';

/** A model of JDM as the analysis sees it. */
export function jdmModel(version: Version): AnalysedModel {
  const { document, program } = version;
  return {
    ...version,
    examine(until): ExaminedModel {
      const { tables, closed } = examineGraph(document, until);
      const statements = parseModel(document).nodes.flatMap(({ id: nodeId, name, parsed }) =>
        [...parsed.expressions()].flatMap(({ statement: id }): Statement[] =>
          id === undefined ? [] : [{ nodeId, name, id, isClosed: closed.has(statementKey(nodeId, id)) }],
        ),
      );
      return {
        tables: tables.map(analysedTable),
        statements,
        sharpen: async (tests, sharpening) =>
          program === null ? tests : sharpened(tests, { document, program, tables, ...sharpening }),
      };
    },
    fields: (properties) => fieldsOf(document, properties),
    factFrom: (input) => input,
    prove: (property, until) => prove(property, version, until),
    changes: (after, until) => jdmChanges(document, after.document, until),
  };
}

function analysedTable({ node, found }: ExaminedTable): AnalysedTable {
  const { id, name, content, table } = node;
  const { inputField, executionMode } = content;
  const isLoop = executionMode === 'loop';
  const path = typeof inputField === 'string' && inputField.trim() !== '' ? fieldPath(inputField) : [];
  let program: Program | undefined;
  return {
    ...{ nodeId: id, name, found, word: 'Row', isTraced: true },
    hitPolicy: table.collect ? 'collect' : 'first',
    ruleIds: ruleIdsOf({ table }),
    isDirect: !isLoop && path?.length === 0,
    inputWith: (fields) =>
      path === undefined || path.length === 0 ? fields : laidOver({}, [{ path, value: isLoop ? [fields] : fields }]),
    async alone(input, until) {
      const seen = await runOn((program ??= tableProgram(content)), input, until);
      return seen && { rows: callsIn(seen.trace, 'table').flatMap(({ rows }) => rows), result: seen.result };
    },
  };
}
