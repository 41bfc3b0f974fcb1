import { expect } from 'chai';
import { namesResult } from '../../../workers/cells/sheets.js';
import { convertedSheet } from '../../support/sheets.js';

const results = [
  ...['Rate', 'Interest rate', 'Price', 'Fees', 'Decision', 'Annual premium', 'Discount (%)', 'Rate in EUR'],
  ...[
    'Prämie',
    'Prämie (€)',
    'Jahresprämie',
    'Praemie',
    'Beitrag',
    'Monatsbeitrag in €',
    'Rabatt',
    'Rabatt %',
    'Preis',
  ],
  ...[
    'Preis pro Stück',
    'Stückpreis netto',
    'Satz',
    'Zinssatz p. a.',
    'Gebühr',
    'Gebühren',
    'Ergebnis',
    'Entscheidung',
  ],
  ...['Zuschlag', 'Nachlass', 'Tarif', 'Hinta', 'Vakuutusmaksu', 'Päätös', 'Premie', 'Ränta', 'Årsavgift', 'Beslut'],
  ...['Bonus', 'Travel allowance', 'Cost', 'Zulage', 'Kosten (€)', 'Lisä', 'Ikälisä', 'Tillägg', 'Toeslag'],
  ...['Cuota íntegra (€)', 'Coût', 'Costo', 'Coste', 'Supplemento', 'Dodatek'],
  ...['Prime annuelle', 'Taux', 'Prix (CHF)', 'Precio', 'Descuento', 'Tasso d’interesse', 'Prijs', 'Korting', 'Cena'],
];
const others = [
  ...[
    'Age',
    'Region',
    'Loan amount',
    'Umsatz',
    'Einsatz',
    'Fahrzeugwert (€)',
    'Alter',
    'Betrag',
    'Vertrag',
    'Operator',
  ],
  ...[
    ...['Cost centre', 'Kostenstelle', 'Bonus class', 'Lisätieto', 'Costa', 'Allowance code', 'Premiata', 'Syylisä'],
    'Corporate',
    'Tarifzone',
    'Preisgruppe',
    'Rate code',
    'Primary colour',
    'Kilometer pro Jahr',
    'Note',
    'Ikä',
    'Summa',
  ],
];

describe('a column is taken for a result by its name', () => {
  for (const title of results) it(title, () => expect(namesResult(title)).to.equal(true));

  for (const title of others) it(`not ${title}`, () => expect(namesResult(title)).to.equal(false));

  it('so a German tariff has its premium and its discount as results, and its remark as notes', () => {
    const { content } = convertedSheet(
      'Region,Alter,Prämie (€),Rabatt,Bemerkung\n"Nord",18,500,0.1,"neu"\n"Süd",30,400,0.2,"alt"\n',
    );
    const { nodes } = content as {
      nodes: { content: { inputs: { name: string }[]; outputs: { name: string }[] } }[];
    };
    const { inputs, outputs } = nodes[1]!.content;
    expect(inputs.map(({ name }) => name)).to.deep.equal(['Region', 'Alter']);
    expect(outputs.map(({ name }) => name)).to.deep.equal(['Prämie (€)', 'Rabatt']);
  });
});
