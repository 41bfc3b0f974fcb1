import { headingText } from './headings.js';

/** Words that a name ends with where its column is a result, alone or after another word. */
const wordsLast =
  'rate|price|result|fee|decision|outcome|output|premium|discount|surcharge|tariff|commission|bonus|allowance|cost|rebate|payout|preis|kosten|zulage|satz|sätze|rate|prijs|pris|premie|korting|tarief';
/** Words that compounds end with as well: `Jahresprämie`, `Vakuutusmaksu`. `Umsatz` and `Einsatz` are none of `Satz`. */
const compoundsLast = [
  'pr(?:ä|ae)mien?|beitr(?:ag|äge)|rabatte?|preise?|geb(?:ü|ue)hr(?:en)?|ergebnis(?:se)?|resultate?|entscheid(?:ung)?(?:en)?',
  '(?:zu|auf|ab)schl(?:ag|äge)|nachl(?:ass|ässe)|tarife?|zins(?:en)?|provision(?:en)?|(?:zins|steuer|beitrags|prämien|gebühren|hebe|prozent|förder|tages|stunden|kosten)s(?:atz|ätze)',
  'hinta|maksu|palkkio|korko|alennus|päätös|tulos|(?<!\\p{L})lisä|(?:ikä|palkka|palvelus)lisä|kustannus|hyvitys',
  'pris|avgift|premie|rabatt|ränta|beslut|gebyr|præmie|beslutning|avgjørelse|prijs|korting|tarief|vergoeding|resultaat|besluit|beslissing|toeslag|bijdrage|tillägg|kostnad|tillegg|tillæg',
].join('|');
/** Words that a name begins with, in languages that put what tells it apart behind it: `Prime annuelle`. */
const wordsFirst =
  'prix|prime|remise|taux|frais|tarif|résultat|décision|precio|prima|descuento|tasa|tarifa|resultado|decisión|comisión|prezzo|premio|sconto|tasso|tariffa|risultato|decisione|preço|pr[éê]mio|desconto|taxa|decisão|cuota|bonificación|recargo|cost[eo]|coût|cotisation|indemnité|supplément|supplemento|custo|acréscimo|dodatek|premia|cena|składka|rabat|stawka|opłata|wynik|decyzja';

const last = new RegExp(`(?:(?:^|[^\\p{L}])(?:${wordsLast})s?|(?:${compoundsLast}))$`, 'iu');
const first = new RegExp(`^(?:${wordsFirst})(?!\\p{L})`, 'iu');

/** What is said of a value behind its name: `(€)`, `in %`, `pro Jahr`, `netto`, `€/MWh`. */
const behind =
  /[\s,;:]*(?:\([^()]*\)|\[[^[\]]*\]|(?<![\p{L}\p{N}])(?:in|pro|je|per|p\.|a\.) ?[\p{L}%€$£.]+|(?<!\p{L})(?:[\p{L}€$£%]{0,4} ?\/ ?[\p{L}²³23]+|netto|brutto|net|gross|jährlich|monatlich|yearly|monthly|annual|p\.? ?a\.?|EUR|USD|CHF|SEK)|[%€$£])$/iu;

/** What is longer is no name, and would be read for long. */
const longestName = 200;

/** Where the columns of results begin: the last one is of results, whatever its name, and so are those before it that are called so. */
export const firstResult = (titles: readonly string[]): number =>
  titles.findLastIndex((title, at) => at < titles.length - 1 && (at === 0 || !namesResult(title))) + 1;

/** Whether a column is called as results are: `Rate`, `Prämie (€)`, `Zinssatz in %`. */
export function namesResult(title: string): boolean {
  if (title.length > longestName) return false;
  let name = headingText(title);
  for (let shorter = name.replace(behind, ''); shorter !== name && shorter !== ''; shorter = name.replace(behind, ''))
    name = shorter;
  return last.test(name) || first.test(name);
}

/** What remarks are called. */
const noteWords = [
  'notes?|comments?|remarks?|memos?|kommentar(?:e|er|en|et)?|bemerkung(?:en)?|anmerkung(?:en)?|notiz(?:en)?|hinweise?|erläuterung(?:en)?',
  'huom(?:autus|autukset|io|\\.)?|kommentit?|kommentti|muistiinpanot?|lisätiedot|anmärkning(?:ar)?|anteckning(?:ar)?|merknad(?:er)?|bemærkning(?:er)?',
  'opmerking(?:en)?|toelichting(?:en)?|notities?|commentaires?|remarques?|notas?|anotaci(?:ón|ones)|comentarios?|comentários?|observaciones|observación|observações|observação',
  'anotações|commenti|commento|osservazion[ei]|annotazion[ei]|uwag[ai]|komentarze?|notatk[ai]|poznámk[ay]|komentář[ei]?|megjegyzés(?:ek)?|observații|napomen[ae]',
].join('|');

/** What stands beside such a word, and tells nothing but whose remarks they are: `Internal notes`, `Note interne`, `Interne Bemerkung`. */
const noteKinds =
  'internal|additional|further|other|general|own|our|my|interne[rs]?|intern[ao]?s?|zusätzliche|weitere|sonstige|allgemeine|eigene|sisäi(?:nen|set)|interna|interní|wewnętrzn[ey]|belső|autres?|générales?|adicionales|adicionais|generales|gerais|aggiuntiv[ei]|generali|aanvullende|övriga|øvrige|muut';

const notes = new RegExp(
  `^(?:(?:${noteKinds}) )?(?:${noteWords})(?: (?:${noteKinds})| ?\\((?:${noteKinds})\\))?(?: ?(?:/|&|and|und|y|e|et|en|och|ja|i) ?(?:${noteWords}))?:?$`,
  'iu',
);

/**
 * Whether a column is called as remarks are, with words in it. One of numbers or codes is none, such as the marks of a school (`Note`
 * in German).
 */
export function isNoteColumn(title: string, cells: readonly string[]): boolean {
  if (title.length > longestName || !notes.test(headingText(title))) return false;
  const said = cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell));
  const words = said.filter((cell) => /\p{L}{2}/u.test(cell));
  return said.every((cell) => /\p{L}/u.test(cell)) && 2 * words.length >= said.length;
}
