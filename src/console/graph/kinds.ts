/** What the kinds of nodes are called. */
const kinds: Readonly<Record<string, string>> = {
  inputNode: 'Request',
  outputNode: 'Response',
  expressionNode: 'Expressions',
  decisionTableNode: 'Table',
  switchNode: 'Switch',
  functionNode: 'Function',
  decisionNode: 'Decision',
  customNode: 'Custom',
  dmnInput: 'Input',
  dmnDecision: 'Decision',
  dmnKnowledge: 'Knowledge',
  dmnService: 'Service',
};

export const kindName = (type: string): string => kinds[type] ?? type;
