import { nearest } from '../../nearest/index.js';
import type { Diagnostic } from '../errors.js';
import { expressionNames } from './boxed/simple.js';
import { foreignImport, type Definitions } from './definitions.js';
import { warningAt } from './twice.js';
import { childrenOf, type Element } from './element.js';

/** Names of DMN's elements, of all its versions, but for those of expressions. */
const elementNames: ReadonlySet<string> = new Set([
  ...['definitions', 'import', 'itemDefinition', 'itemComponent', 'functionItem', 'parameters', 'typeRef'],
  ...['allowedValues', 'typeConstraint', 'inputData', 'decision', 'businessKnowledgeModel', 'decisionService'],
  ...['knowledgeSource', 'elementCollection', 'drgElement', 'performanceIndicator', 'organizationUnit'],
  ...['businessContextElement', 'artifact', 'group', 'textAnnotation', 'association', 'sourceRef', 'targetRef', 'text'],
  ...['description', 'extensionElements', 'extensionAttribute', 'question', 'allowedAnswers', 'variable'],
  ...['informationRequirement', 'knowledgeRequirement', 'authorityRequirement', 'requiredInput', 'requiredDecision'],
  ...['requiredKnowledge', 'requiredAuthority', 'supportedObjective', 'impactedPerformanceIndicator', 'decisionMaker'],
  ...['decisionOwner', 'impactingDecision', 'decisionMade', 'decisionOwned', 'usingProcess', 'usingTask', 'type'],
  ...['owner', 'locationURI', 'outputDecision', 'encapsulatedDecision', 'inputDecision', 'encapsulatedLogic'],
  ...['formalParameter', 'expression', 'importedValues', 'importedElement', 'input', 'output', 'rule', 'annotation'],
  ...['annotationEntry', 'inputExpression', 'inputValues', 'outputValues', 'defaultOutputEntry', 'inputEntry'],
  ...['outputEntry', 'contextEntry', 'column', 'row', 'binding', 'parameter', 'if', 'then', 'else', 'in', 'match'],
  ...['return', 'satisfies'],
]);

/** What belongs to a modeler alone may have any elements in it. */
const extensions = 'extensionElements';

/** Elements that may have several expressions. */
const ofSeveral: ReadonlySet<string> = new Set(['list', 'row']);

/** What is told of one document: a stranger's may have millions of such elements. */
const most = 1000;

type Tell = (message: string, element: Element, hint?: string) => void;

const mend = 'Mend it in your modeler, and bring the document in again.';
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What of an element, and how many of it stand there, is not as DMN has it. */
function check(element: Element, tell: Tell): void {
  const expressions = element.children.filter(({ name }) => expressionNames.has(name));
  for (const other of ofSeveral.has(element.name) ? [] : expressions.slice(1))
    tell('Another expression stands before this one, which is passed over.', other);
  for (const other of childrenOf(element, 'text').slice(1))
    tell('Another text stands before this one, which is passed over.', other);
  if (element.name === 'decision' && expressions.length === 0)
    tell('The decision has no expression: its value is null.', element, 'Write its logic in your modeler.');
  const foreign = element.name === 'import' ? foreignImport(element) : undefined;
  if (foreign !== undefined)
    tell(
      `The import is ${foreign}, which is not read here: functions and types of it are null.`,
      element,
      'Write what it gives in FEEL, or let the caller hand it over.',
    );
  if (element.name === 'decisionTable') checkTable(element, tell);
  if (element.name === 'relation') checkRelation(element, tell);
  if (element.name === 'context')
    for (const entry of childrenOf(element, 'contextEntry').slice(0, -1))
      if (childrenOf(entry, 'variable').length === 0)
        tell('An entry without a name is the result of the context, and others stand behind it.', entry);
}

function checkTable(table: Element, tell: Tell): void {
  const [inputs, outputs] = [childrenOf(table, 'input'), childrenOf(table, 'output')];
  const isUnnamed = outputs.some(({ attributes }) => (attributes['name'] ?? attributes['label'] ?? '') === '');
  if (outputs.length > 1 && isUnnamed)
    tell('The table has several outputs, and one of them has no name: a result has one of those alone.', table);
  for (const rule of childrenOf(table, 'rule')) {
    const cells = [childrenOf(rule, 'inputEntry'), childrenOf(rule, 'outputEntry')];
    const [given, results] = cells.map(({ length }) => length) as [number, number];
    if (given !== inputs.length)
      tell(
        `The rule has ${counted(given, 'input cell')}, and the table ${counted(inputs.length, 'input')}: each cell is under the next input, and those without one hold.`,
        rule,
      );
    if (results !== outputs.length)
      tell(
        `The rule has ${counted(results, 'output cell')}, and the table ${counted(outputs.length, 'output')}: each cell is under the next output, and those without one are null.`,
        rule,
      );
  }
}

function checkRelation(relation: Element, tell: Tell): void {
  const columns = childrenOf(relation, 'column').length;
  for (const row of childrenOf(relation, 'row')) {
    const cells = row.children.filter(({ name }) => expressionNames.has(name)).length;
    if (cells !== columns)
      tell(
        `The row has ${counted(cells, 'cell')}, and the relation ${counted(columns, 'column')}: each cell is under the next column, and those without one are null.`,
        row,
      );
  }
}

/** Warnings of elements that are not read, and of too few or too many: something would be missing without a word. */
export function whatIsMisplaced({ root }: Definitions): Diagnostic[] {
  const found: Diagnostic[] = [];
  // `owner` is the child of the document that an element is in.
  const visit = (element: Element, owner: Element): void => {
    if (found.length >= most) return;
    const tell: Tell = (message, at, hint = mend) => found.push(warningAt(message, at, owner, hint));
    check(element, tell);
    for (const child of element.children) {
      const { name } = child;
      const within = element === root ? child : owner;
      if (elementNames.has(name) || expressionNames.has(name)) {
        if (name !== extensions) visit(child, within);
        continue;
      }
      if (found.length >= most) return;
      const meant = nearest(name, [...elementNames, ...expressionNames]);
      const hint = meant === undefined ? mend : `Did you mean \`${meant}\`?`;
      found.push(warningAt(`\`${name}\` is no element of DMN, and is passed over.`, child, within, hint));
    }
  };
  visit(root, root);
  return found.slice(0, most);
}
