import type { Meaning, MeantCell } from './meantCells.js';

const all: Meaning = { name: 'any', accepts: () => true };
const oneOf = (...wanted: readonly unknown[]): Meaning => ({
  name: wanted.join(' or '),
  accepts: (value) => wanted.includes(value),
});

/** `FI+SE` is one of both, `!FI+SE` none of them, `true` the boolean, `*` everything, `a~b` what lies between as words do. */
function meaning(written: string): Meaning {
  if (written === '*') return all;
  const [low, high] = written.split('~');
  if (high !== undefined)
    return { name: written, accepts: (value) => typeof value === 'string' && value >= low! && value <= high };
  const isNot = written.startsWith('!');
  const wanted = (isNot ? written.slice(1) : written)
    .split('&&')
    .map((text): unknown => (text === 'true' ? true : text === 'false' ? false : text));
  return isNot ? { name: written, accepts: (value) => !wanted.includes(value) } : oneOf(...wanted);
}

const words = `
Personal -> Personal
self-employed -> self-employed
New York -> New York
Café -> Café
R&D -> R&D
Côte d’Ivoire -> Côte d’Ivoire
B2B -> B2B
3-star -> 3-star
24h -> 24h
A+ -> A+
C++ -> C++
1st -> 1st
not Personal -> !Personal | not Personal
<> Personal -> !Personal
!= Personal -> !Personal
≠ Personal -> !Personal
not "Personal" -> !Personal
<>"Personal" -> !Personal
= Personal -> Personal
="Personal" -> Personal
all except FI -> !FI | all except FI
not FI, SE -> !FI&&SE | not FI, SE
Personal or Car -> Personal&&Car | Personal or Car
FI;SE -> FI&&SE | FI;SE
FI; SE -> FI&&SE | FI; SE
DE, FR -> DE&&FR
DE,FR -> DE&&FR
"DE";"FR" -> DE&&FR
"DE" or "FR" -> DE&&FR
DE / FR -> DE&&FR | DE / FR
DE/FR -> DE&&FR | DE/FR
DE | FR -> DE&&FR
FI, SE or NO -> FI&&SE&&NO | FI, SE or NO
PRUEFKEIN, PRUEFGL -> PRUEFKEIN&&PRUEFGL
(Gold) -> (Gold)
[Gold] -> [Gold] | Gold
Terms & Conditions -> Terms & Conditions
Small and medium -> Small and medium | Small&&medium
n/a -> n/a | *
N/A -> N/A | *
other -> other | *
Other -> Other | *
all -> all | *
alle -> alle | *
Jede -> Jede | *
“Gold” -> Gold
‘Gold’ -> Gold
„Gold“ -> Gold
«Gold» -> Gold
“DE”, “FR” -> DE&&FR
"Gold” -> Gold
"Gold" -> Gold
'Gold' -> Gold
TRUE -> TRUE | true
2026-Q1 -> 2026-Q1
Q1 -> Q1
yes -> yes | true
> "M" -> M ~￿
["A".."M"] -> A~M`;

const everything = ['any', 'Any', 'ANY', 'otherwise', '-', '–', '—', '*', 'any value', 'else'];

/** Of another kind than their column; what is meant, where anything is. */
const foreign: Readonly<Record<string, readonly (readonly [cell: string, ...means: Meaning[]])[]>> = {
  number: [
    ...([['n/a'], ['Personal'], ['"18"', oneOf(18)], ['true'], ['2026-01-31'], ['tbd'], ['?']] as const),
    ...([['see below'], ['none']] as const),
  ],
  date: [['Personal'], ['5'], ['true'], ['n/a'], ['soon']],
  boolean: [['Personal'], ['5'], ['maybe'], ['n/a']],
  text: [['5', oneOf('5')], ['> 5'], ['true', oneOf('true')], ['[1..5]']],
};

const truths = `
TRUE -> true
True -> true
true -> true
FALSE -> false
False -> false
false -> false
yes -> true | yes
no -> false | no
Yes -> true | Yes
No -> false | No
y -> true | y
n -> false | n
ja -> true | ja
nein -> false | nein
x -> true | x`;

const meantIn = (column: 'text' | 'boolean', text: string): MeantCell[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [cell = '', means = ''] = line.split(' -> ');
      return { cell, column, means: means.split(' | ').map(meaning) };
    });

/** Words, lists of them, what takes everything, yes and no, and cells of another kind than their column. */
export const textCells: readonly MeantCell[] = [
  ...meantIn('text', words),
  ...meantIn('boolean', truths),
  ...everything.flatMap((cell) =>
    (['number', 'text', 'date', 'boolean'] as const).map((column): MeantCell => ({ cell, column, means: [all] })),
  ),
  ...Object.entries(foreign).flatMap(([column, cells]) =>
    cells.map(([cell, ...means]): MeantCell => ({ cell, column: column as MeantCell['column'], means })),
  ),
];
