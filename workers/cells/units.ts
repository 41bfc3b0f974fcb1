import { shifted } from './shifted.js';

// What numbers count and measure, and how much of one unit another one is.

/** Words that say what a number counts, each with the unit that it names. */
const units: ReadonlyMap<string, string> = new Map(
  Object.entries({
    month:
      'month months mo mos mth mths Monat Monate Monaten kk kuukautta mån månader mois mese mesi mes meses mês miesiąc miesiące miesięcy maand maanden måned måneder',
    year: 'year years yr yrs y yo Jahr Jahre Jahren vuotta år v an ans année années anno anni año años ano anos rok lata lat jaar jaren',
    day: 'day days d Tag Tage Tagen päivää pv dag dagar jour jours giorno giorni día días dia dias dzień dni dagen dage dager',
    week: 'week weeks wk wks Woche Wochen viikkoa vecka veckor semaine semaines weken',
    hour: 'hour hours hr hrs h Stunde Stunden tuntia timmar heure heures ora ore hora horas godz godzin uur timer',
    minute: 'minute minutes min mins Minuten minuuttia minuti minutos minut minuten minutter',
    second: 's sec secs second seconds Sekunden',
    km: 'km',
    mile: 'mi mile miles',
    kg: 'kg kgs',
    gram: 'g gram grams',
    pound: 'lb lbs',
    centimetre: 'cm',
    metre: 'metre metres meter meters metri mètre mètres metro metros metriä',
    tonne: 'ton tons tonne tonnes Tonne Tonnen tonn tonnia',
    foot: 'foot feet ft',
    litre: 'l litre litres',
    piece: 'pc pcs piece pieces item items unit units Stk Stück kpl pièce pièces pz pezzi piezas szt sztuk stuks',
    point: 'point points pt pts',
    bp: 'bp bps',
    person: 'person persons people Personen henkilöä personne personnes persone personas pessoas osób personer',
    degree: '° °C',
    fahrenheit: '°F',
    area: 'm² sqm m2',
    kWh: 'kWh',
    GB: 'GB',
    MB: 'MB',
  }).flatMap(([unit, words]) => words.split(' ').map((word) => [word.toLowerCase(), unit])),
);

const knownUnits: ReadonlySet<string> = new Set(['month', 'year', 'day', 'week', 'hour', 'minute', 'km', 'kg']);

/** Whether a unit beside a number in a condition is no half of a text. */
export const isKnownUnit = (unit: string): boolean => knownUnits.has(unit);

/** Letters that are a scale as well, or a month: units where others of length or weight are meant. */
const shortUnits: ReadonlyMap<string, string> = new Map(Object.entries({ m: 'metre', mm: 'millimetre', t: 'tonne' }));
const measures: ReadonlySet<string> = new Set(
  'metre millimetre centimetre km mile foot kg gram pound tonne'.split(' '),
);

/** What a word beside a number counts, by one name for all of its words. @param beside the unit that is meant there, where one is */
export const unitOf = (word: string, beside?: string): string | undefined =>
  units.get(word.toLowerCase()) ??
  (beside === undefined || measures.has(beside) ? shortUnits.get(word.toLowerCase()) : undefined);

/** How each unit is written for people, where its name here is another one. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ month: 'months', year: 'years', day: 'days', week: 'weeks', hour: 'hours', minute: 'minutes', second: 's' },
    ...{ mile: 'mi', gram: 'g', pound: 'lb', centimetre: 'cm', millimetre: 'mm', metre: 'm', tonne: 't', foot: 'ft' },
    ...{
      bp: 'bps',
      litre: 'l',
      piece: 'pcs',
      point: 'points',
      person: 'persons',
      degree: '°C',
      fahrenheit: '°F',
      area: 'm²',
    },
  }),
);

/** A unit, or the code of a currency, as people write it. */
export const unitLabel = (unit: string): string => labels.get(unit) ?? unit;

/** How many of the least unit of its kind each one is: by these alone is a number converted, since it stays exact. */
const sizes: readonly (readonly [unit: string, size: number])[][] = [
  [
    ['gram', 1],
    ['kg', 1000],
    ['tonne', 1_000_000],
  ],
  [
    ['millimetre', 1],
    ['centimetre', 10],
    ['metre', 1000],
    ['km', 1_000_000],
  ],
  [
    ['second', 1],
    ['minute', 60],
    ['hour', 3600],
    ['day', 86_400],
    ['week', 604_800],
  ],
  [
    ['month', 1],
    ['year', 12],
  ],
];

/** Digits behind the point that a number may have more of once it is converted. */
const places = 6;

/** A number of one unit as one of another; undefined where nobody can say it exactly. */
export function converted(number: string, from: string, to: string): string | undefined {
  const known = sizes.map((all) => new Map(all)).find((all) => all.has(from) && all.has(to));
  const [size, other] = [known?.get(from), known?.get(to)];
  if (size === undefined || other === undefined) return undefined;
  const behind = (number.split('.')[1] ?? '').length;
  const digits = BigInt(shifted(number.replace('-', ''), behind + places)) * BigInt(size);
  if (digits % BigInt(other) !== 0n) return undefined;
  const text = shifted(String(digits / BigInt(other)), -behind - places);
  return number.startsWith('-') && text !== '0' ? `-${text}` : text;
}
