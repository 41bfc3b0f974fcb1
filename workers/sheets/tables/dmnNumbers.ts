import { childOf, childrenOf, type Element, type readDefinitions } from '../../engine/index.js';

type Part = ReturnType<typeof readDefinitions>['parts'][number];

/** Ids of the columns that are numbers by their types, or by those of what they read and of what the table is the logic of. */
export function numbersOf(table: Element, owner: Part, parts: readonly Part[]): ReadonlySet<string> {
  const outputs = childrenOf(table, 'output');
  const types = {
    input: childrenOf(table, 'input').map((input) => {
      const expression = childOf(input, 'inputExpression');
      const read = (expression && childOf(expression, 'text'))?.text.trim();
      return expression?.attributes['typeRef'] ?? parts.find(({ variable }) => variable === read)?.typeRef;
    }),
    output: outputs.map(({ attributes: { typeRef } }) => typeRef ?? (outputs.length === 1 ? owner.typeRef : undefined)),
  };
  return new Set(
    (['input', 'output'] as const).flatMap((kind) =>
      types[kind].flatMap((type, at) => (/^(?:\w+:)?number$/.test(type ?? '') ? [`${kind}${at + 1}`] : [])),
    ),
  );
}
