import type { CompiledTable } from '../../engine/dmn/boxed/decisionTable.js';
import type { Node } from '../../engine/dmn/graph.js';
import { compiledDmn, dmnOf } from '../../engine/index.js';
import type { Deadline } from '../deadline.js';
import { findingsFor } from '../findings.js';
import type { AnalysedModel, AnalysedTable, Version } from '../model.js';
import { tryAll } from '../trials.js';
import { dmnChanges } from './changes.js';
import { factFields, factFrom } from './facts.js';
import { trialsOf } from './proofs.js';
import { readTable, type ReadTable } from './readTable.js';
import type { FeelTable } from './feelTable.js';

/** A DMN document as the analysis sees it. @throws EngineError for a text that is no document of DMN */
export function dmnModel({ document, linked, imported }: Version, xml: string): AnalysedModel {
  const tables: ReadTable[] = [];
  const ofDecisions = new Map<Node, FeelTable>();
  const onTable = (compiledTable: CompiledTable, node: Node): void => {
    const read = readTable(compiledTable, node);
    tables.push(read);
    if (read.isTraced && node.part.kind === 'decision') ofDecisions.set(node, read.table);
  };
  const compiled = compiledDmn(xml, { imported, onTable });
  const { program } = compiled;
  let examined: readonly AnalysedTable[] = [];
  return {
    ...{ document, linked, program },
    examine(until) {
      examined = tables.map((table) => analysedTable(table, until));
      return { tables: examined, statements: [], sharpen: async (tests) => Promise.resolve(tests) };
    },
    fields: (properties) =>
      factFields(compiled, xml, {
        tables: examined.flatMap((each, at) =>
          tables[at] === undefined ? [] : [{ read: tables[at], examined: each }],
        ),
        properties,
      }),
    factFrom: (input) => factFrom(compiled, input),
    prove: (property, until) =>
      tryAll(property, until, (asked) =>
        trialsOf({ xml, program, hasImports: compiled.imports.length > 0, tables: ofDecisions }, asked, until),
      ),
    changes(after, until) {
      const other = dmnOf(after.document);
      return other === undefined
        ? { tables: [], reason: 'they are models of two kinds' }
        : dmnChanges(xml, other, { imported, until });
    },
  };
}

function analysedTable({ id, name, isTraced, table, alone }: ReadTable, until: Deadline): AnalysedTable {
  const { hitPolicy, ruleIds, ruling, possibleOf } = table;
  return {
    ...{ nodeId: id, name, hitPolicy, ruleIds, isTraced, word: 'Rule', isDirect: true },
    inputWith: (fields) => fields,
    found: findingsFor(table, until, { ruling, beside: {}, possibleOf }),
    alone: async (input) => Promise.resolve(alone(input)),
  };
}
