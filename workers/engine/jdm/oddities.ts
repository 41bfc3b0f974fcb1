import { isRecord } from '../../json/index.js';
import { isCustomKind } from '../nodes/custom.js';
import { tableIn } from '../nodes/table.js';
import type { Rule, Table } from '../nodes/table/content.js';
import { plainLiteral } from '../zen/cells.js';
import { locationOf, type Model, type ModelEdge } from './model.js';
import type { Plan } from './plan.js';
import type { Report } from './reader.js';

// Warnings of what editors leave behind in a model and the reference engine accepts silently.

/** Warns of edges that never open, and of those that are there twice. */
export function checkEdges(model: Model, plan: Plan, report: Report): void {
  const drawn = new Set<string>();
  for (const edge of model.edges) {
    checkHandle(model, edge, report);
    const node = model.nodes[edge.source];
    if (node === undefined) continue;
    const location = { nodeId: node.id, nodeName: node.name, pointer: `/edges/${edge.index}` };
    const way = JSON.stringify([edge.source, edge.target, edge.handle ?? null]);
    if (drawn.has(way)) warn(report, 'The same edge is there twice.', location);
    drawn.add(way);
    if (plan.roles[edge.source] === 'output') {
      const message = 'An edge leads out of an output node: a run ends there, and its result leaves that node out.';
      warn(report, message, location);
    }
  }
}

/** An edge out of a switch belongs to one of its statements. */
function checkHandle({ nodes }: Model, { source, handle, index }: ModelEdge, report: Report): void {
  const node = nodes[source];
  const statements = node?.parsed.statements;
  if (node === undefined || statements === undefined || (handle !== undefined && statements.includes(handle))) return;
  const which =
    handle === undefined ? 'belongs to none of its statements' : `names a statement that is not there: "${handle}"`;
  report({
    code: 'model_invalid',
    severity: 'warning',
    message: `An edge out of the switch ${which}; it never opens.`,
    nodeId: node.id,
    nodeName: node.name,
    field: `edges[${index}].sourceHandle`,
    pointer: `/edges/${index}${handle === undefined ? '' : '/sourceHandle'}`,
    hint: 'Set `sourceHandle` to the id of a statement, or remove the edge.',
  });
}

/** Warns of nodes that no run gets to. @param reached by node index; undefined where the graph can't run at all */
export function checkNodes({ nodes }: Model, reached: Uint8Array | undefined, report: Report): void {
  for (const [index, node] of nodes.entries()) {
    const { custom } = node.parsed;
    const isNote = custom !== undefined && isCustomKind(custom);
    if (reached?.[index] === 0 && !isNote) warn(report, 'No run gets to this node.', locationOf(node));
  }
}

/**
 * Warns of rows that are there twice: of a table that takes the first match, those with the same conditions.
 * @param broken pointers of rows with a fault: they are passed over, so that another with their conditions is taken
 */
export function checkRows({ nodes }: Model, broken: ReadonlySet<string>, report: Report): void {
  for (const node of nodes) {
    if (node.type !== 'decisionTableNode') continue;
    const { collect, inputs, outputs, rules } = tableIn(node.content);
    const compared = collect ? [...inputs, ...outputs] : inputs;
    const { pointer = '', ...location } = locationOf(node);
    const seen = new Map<string, number>();
    for (const [row, rule] of rules.entries()) {
      if (broken.has(`${pointer}/content/rules/${row}`)) continue;
      const cells = JSON.stringify(compared.map(({ id }) => rule.get(id) ?? ''));
      const first = seen.get(cells);
      if (first === undefined) {
        if (collect || cannotFail(outputs, rule)) seen.set(cells, row);
        continue;
      }
      const what = collect
        ? `This row is the same as row ${first + 1}`
        : `This row has the conditions of row ${first + 1}`;
      report({
        code: 'model_invalid',
        severity: 'warning',
        message: `${what}${collect ? ': it counts twice.' : ', which comes first.'}`,
        ...location,
        field: `content.rules[${row}]`,
        label: `rule ${row + 1}`,
        pointer: `${pointer}/content/rules/${row}`,
      });
    }
  }
}

/** A row whose result fails is passed over: only of literals it is certain that they do not. */
const cannotFail = (outputs: Table['outputs'], rule: Rule): boolean =>
  outputs.every(({ id }) => {
    const cell = rule.get(id) ?? '';
    return cell === '' || plainLiteral(cell) !== undefined;
  });

/** Warns of expressions that are written nowhere: those without a key. */
export function checkKeys({ nodes }: Model, report: Report): void {
  for (const node of nodes) {
    const list = node.type === 'expressionNode' ? node.content['expressions'] : undefined;
    if (!Array.isArray(list)) continue;
    for (const [index, item] of (list as unknown[]).entries()) {
      if (!isRecord(item) || !isBlank(item['key']) || isBlank(item['value'])) continue;
      const { pointer = '', ...location } = locationOf(node);
      report({
        code: 'model_invalid',
        severity: 'warning',
        message: 'This expression has no key: its value goes nowhere.',
        ...location,
        field: `content.expressions[${index}].key`,
        label: `expression ${index + 1}`,
        pointer: `${pointer}/content/expressions/${index}/key`,
      });
    }
  }
}

const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';

function warn(
  report: Report,
  message: string,
  location: { nodeId?: string; nodeName?: string; pointer?: string },
): void {
  report({ code: 'model_invalid', severity: 'warning', message, ...location });
}
