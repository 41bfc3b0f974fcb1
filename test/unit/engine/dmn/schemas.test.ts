import { expect } from 'chai';
import { schemasOf } from '../../../../workers/engine/index.js';
import { definitions, dmn } from '../../../support/dmn.js';

describe('the schema of what a document of DMN takes', () => {
  const inputOf = (allowed: string, type: string): unknown => {
    const xml = definitions(
      `<itemDefinition name="tKind"><typeRef>${type}</typeRef><allowedValues><text>${allowed}</text></allowedValues></itemDefinition>
      <inputData id="i" name="kind"><variable name="kind" typeRef="tKind"/></inputData>`,
    );
    return schemasOf(dmn(xml)).input;
  };

  it('tells allowed values once: as choices where they are a list, else in words', () => {
    expect(inputOf('"EMPLOYED","SELF-EMPLOYED"', 'string')).to.deep.equal({
      type: 'object',
      properties: {
        kind: { type: ['string', 'null'], enum: ['EMPLOYED', 'SELF-EMPLOYED', null], description: 'tKind' },
      },
    });
    expect(inputOf('[0..120]', 'number')).to.deep.equal({
      type: 'object',
      properties: { kind: { type: ['number', 'null'], description: 'tKind: [0..120]' } },
    });
  });
});
