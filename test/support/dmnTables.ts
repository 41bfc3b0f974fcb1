import { definitions } from './dmn.js';

/** An input of a table: its type is the language's, or that of an item definition. */
export interface TableInput {
  readonly name: string;
  readonly type: string;
  /** Values that the item definition of its type allows. */
  readonly allowed?: string;
  /** Values that the table takes. */
  readonly taken?: string;
}

/** A document that is one decision table over input data; a row has a cell for each input, then its output. */
export interface TableDocument {
  readonly hitPolicy: string;
  readonly inputs: readonly TableInput[];
  readonly rows: readonly (readonly string[])[];
  readonly outputValues?: string;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (source: string): string => `<text>${escaped(source)}</text>`;

/** The decision is `Result`, with the id `result`; rules are `r0`, `r1`, … */
export function tableDocument({ hitPolicy, inputs, rows, outputValues }: TableDocument): string {
  const types = inputs.flatMap(({ name, type, allowed }) =>
    allowed === undefined
      ? []
      : [
          `<itemDefinition name="t${name}"><typeRef>${type}</typeRef><allowedValues>${text(allowed)}</allowedValues></itemDefinition>`,
        ],
  );
  const typeOf = ({ name, type, allowed }: TableInput): string => (allowed === undefined ? type : `t${name}`);
  const data = inputs.map(
    (input) =>
      `<inputData id="${input.name}" name="${input.name}"><variable name="${input.name}" typeRef="${typeOf(input)}"/></inputData>`,
  );
  const required = inputs.map(
    ({ name }) => `<informationRequirement><requiredInput href="#${name}"/></informationRequirement>`,
  );
  const columns = inputs.map(
    ({ name, taken }) =>
      `<input><inputExpression>${text(name)}</inputExpression>${taken === undefined ? '' : `<inputValues>${text(taken)}</inputValues>`}</input>`,
  );
  const rules = rows.map((cells, row) => {
    const entries = cells.map((cell, at) =>
      at < inputs.length ? `<inputEntry>${text(cell)}</inputEntry>` : `<outputEntry>${text(cell)}</outputEntry>`,
    );
    return `<rule id="r${row}">${entries.join('')}</rule>`;
  });
  const values = outputValues === undefined ? '' : `<outputValues>${text(outputValues)}</outputValues>`;
  return definitions(
    `${types.join('')}${data.join('')}<decision id="result" name="Result"><variable name="Result"/>${required.join('')}` +
      `<decisionTable hitPolicy="${hitPolicy}">${columns.join('')}<output name="Result">${values}</output>${rules.join('')}</decisionTable></decision>`,
  );
}
