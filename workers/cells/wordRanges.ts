import { partsOfRange } from './bands.js';

// Ranges in an order that everybody knows, such as `Mon-Fri`, `Jan–Mar` and `A-C`: a person means each word between, or one word.

/** The days of each language, in all of its spellings. */
const days = [
  'monday tuesday wednesday thursday friday saturday sunday|mon tue wed thu fri sat sun|mon tues wed thurs fri sat sun|mo tu we th fr sa su',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag|mo di mi do fr sa so',
  'maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai|ma ti ke to pe la su',
  'måndag tisdag onsdag torsdag fredag lördag söndag|mån tis ons tors fre lör sön|mån tis ons tor fre lör sön',
  'mandag tirsdag onsdag torsdag fredag lørdag søndag|man tir ons tor fre lør søn|ma ti on to fr lø sø',
  'lundi mardi mercredi jeudi vendredi samedi dimanche|lun mar mer jeu ven sam dim',
  'lunedì martedì mercoledì giovedì venerdì sabato domenica|lun mar mer gio ven sab dom',
  'lunes martes miércoles jueves viernes sábado domingo|lun mar mié jue vie sáb dom|lun mar mie jue vie sab dom',
  'segunda terça quarta quinta sexta sábado domingo|seg ter qua qui sex sáb dom|seg ter qua qui sex sab dom',
  'poniedziałek wtorek środa czwartek piątek sobota niedziela|pon wt śr czw pt sob niedz|pn wt śr cz pt sb nd',
  'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag|ma di wo do vr za zo',
];
const months = [
  'january february march april may june july august september october november december|jan feb mar apr may jun jul aug sep oct nov dec|jan feb mar apr may jun jul aug sept oct nov dec',
  'januar februar märz april mai juni juli august september oktober november dezember|jan feb mär apr mai jun jul aug sep okt nov dez|jan feb mrz apr mai jun jul aug sep okt nov dez',
  'tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu|tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu',
  'januari februari mars april maj juni juli augusti september oktober november december|jan feb mar apr maj jun jul aug sep okt nov dec',
  'januar februar marts april maj juni juli august september oktober november december|januar februar mars april mai juni juli august september oktober november desember|jan feb mar apr mai jun jul aug sep okt nov des',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre|janv févr mars avr mai juin juil août sept oct nov déc|jan fév mar avr mai juin juil août sep oct nov déc',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre|gen feb mar apr mag giu lug ago set ott nov dic',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre|ene feb mar abr may jun jul ago sep oct nov dic',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro|jan fev mar abr mai jun jul ago set out nov dez',
  'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień|sty lut mar kwi maj cze lip sie wrz paź lis gru',
  'januari februari maart april mei juni juli augustus september oktober november december|jan feb mrt apr mei jun jul aug sep okt nov dec',
];
const letters = ['a b c d e f g h i j k l m n o p q r s t u v w x y z'];

/** A language's spellings of one order; `isRound` where the first follows the last again. */
interface Order {
  readonly spellings: readonly (readonly string[])[];
  readonly isRound: boolean;
}
const orders: readonly Order[] = [days, months, letters].flatMap((languages) =>
  languages.map((language) => ({
    spellings: language.split('|').map((words) => words.split(' ')),
    isRound: languages !== letters,
  })),
);

const known = new Set(orders.flatMap(({ spellings }) => spellings.flat()));

/** What is longer is no such range. */
const longest = 60;
const mayBe = /^\p{L}[\p{L}’']*\.?(?: ?[-–—~…] ?\p{L}| \p{L}|,)/u;
/** What names of goods are: `A-1`, `E-bike`, `T-Mobile`. */
const code = /^\p{L}-[\p{L}\d]/u;

const bare = (word: string): string => word.toLowerCase().replace(/\.$/, '');

/** Whether a cell may be such a range, so that it is of use how its neighbours are spelled. */
export const mayBeWordRange = (cell: string): boolean => cell.length <= longest && mayBe.test(cell);

/** What a column tells of its ranges of words. */
export interface Beside {
  /** The days, months and letters that stand in it alone, by which the spelling of a range is known. */
  readonly words: ReadonlySet<string>;
  /** Whether it has codes such as `A-1` and `X-B`. */
  readonly hasCodes: boolean;
}

export const nothingBeside: Beside = { words: new Set(), hasCodes: false };

/** @param cells each once */
export function besideIn(cells: readonly string[]): Beside {
  if (!cells.some(mayBeWordRange)) return nothingBeside;
  const words = cells.flatMap((cell) => (cell.length > longest ? [] : cell.split(/[,;|/]/)));
  const all = words.map((word) => word.trim().replace(/^["']|["']$/g, ''));
  return {
    words: new Set(all.map(bare).filter((word) => known.has(word))),
    hasCodes: all.some((word) => code.test(word) && !isRangeOfLetters(word)),
  };
}

/** The words that a cell of ranges and words names, in each way that it can be read; empty where it has no range. */
export function wordRangesIn(cell: string, beside: Beside): readonly (readonly string[])[] {
  if (!mayBeWordRange(cell)) return [];
  const parts = cell.split(/ ?[,;|] ?/);
  const ranges = parts.map((part) => wordsOf(part, beside));
  if (!ranges.some((found) => found.length > 0)) return [];
  if (parts.length === 1) return ranges[0] ?? [];
  const words = parts.map((part, at) => ranges[at]?.[0] ?? (/^\p{L}+\.?$/u.test(part) ? [part] : undefined));
  return words.includes(undefined) ? [] : [words.flatMap((each) => each ?? [])];
}

function wordsOf(cell: string, { words: beside, hasCodes }: Beside): readonly (readonly string[])[] {
  const [first, last] = partsOfRange(cell) ?? [];
  if (first === undefined || last === undefined || !known.has(bare(first)) || !known.has(bare(last))) return [];
  const isLetters = first.length === 1 && last.length === 1;
  const isAlike = (first === first.toUpperCase()) === (last === last.toUpperCase());
  // Among codes a letter and a letter is one as well.
  if (isLetters && (!isAlike || hasCodes)) return [];
  const found = orders.flatMap(({ spellings, isRound }) => {
    const own = spellings.find((words) => words.includes(bare(first)) && words.includes(bare(last)));
    if (own === undefined) return [];
    const [from, to] = [own.indexOf(bare(first)), own.indexOf(bare(last))];
    if (from === to || (from > to && !isRound)) return [];
    const hits = (words: readonly string[]): number => words.filter((word) => beside.has(word)).length;
    const spelling = spellings.reduce((best, words) => (hits(words) > hits(best) ? words : best), own);
    const ways = Array.from(
      { length: ((to - from + own.length) % own.length) + 1 },
      (_none, at) => (from + at) % own.length,
    );
    return { words: ways.map((at) => likeIt(spelling[at] ?? '', first)), hits: hits(spelling) };
  });
  const most = Math.max(...found.map(({ hits }) => hits));
  const lists = found.filter(({ hits }) => hits === most).map(({ words }) => words);
  return lists.filter((list, at) => lists.findIndex((other) => other.join() === list.join()) === at);
}

function isRangeOfLetters(word: string): boolean {
  const [, first = '', last = ''] = /^(\p{L})-(\p{L})$/u.exec(word) ?? [];
  return first !== '' && first < last;
}

/** With capitals where the range has them. */
function likeIt(word: string, first: string): string {
  if (first === first.toUpperCase()) return word.toUpperCase();
  return first[0] === first[0]?.toUpperCase() ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word;
}
