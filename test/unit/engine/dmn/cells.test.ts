import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const table = (typeRef: string, cell: string): string =>
  definitions(
    `<itemDefinition name="grade"><typeRef>string</typeRef><allowedValues><text>"A", "B"</text></allowedValues></itemDefinition>
    <decision id="d" name="d"><variable name="d"/><decisionTable><output name="o" typeRef="${typeRef}"/>
      <rule id="r"><outputEntry><text>${cell}</text></outputEntry></rule></decisionTable></decision>`,
  );
const told = (typeRef: string, cell: string): unknown =>
  compileDmn(table(typeRef, cell)).diagnostics.map(({ severity, code, message, source }) => [
    severity,
    code,
    message,
    source,
  ]);

describe('an output cell that is a value of another type than its column', () => {
  it('is told by a check, since it is null whenever its rule matches', () => {
    expect(told('string', '22')).to.deep.equal([
      ['warning', 'type_error', 'Output 1 is a number, which is not of its type: string.', '22'],
    ]);
    expect(told('number', '"22"')).to.deep.equal([
      ['warning', 'type_error', 'Output 1 is a string, which is not of its type: number.', '"22"'],
    ]);
    expect(told('grade', 'true')).to.have.lengthOf(1);
  });

  it('is nothing where it is of the type, a list of one, or an expression', () => {
    const fine: readonly (readonly [type: string, cell: string])[] = [
      ...[['string', '"a"'] as const, ['number', '-1.5'] as const, ['boolean', 'true'] as const],
      ...[['grade', '"A"'] as const, ['Any', '1'] as const, ['string', 'null'] as const, ['string', ''] as const],
    ];
    for (const [type, cell] of fine) expect(told(type, cell), `${type} ${cell}`).to.deep.equal([]);
  });
});
