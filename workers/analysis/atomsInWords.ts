import type { Atom, AtomKind } from './atoms.js';
import type { Piece } from './numberLine.js';
import { dateSource } from './moments.js';
import { membersOf, type Ranges } from './ranges.js';
import type { Terms } from './terms.js';

/** A set of a field's atoms in words of its name: `amount in (500..1000]`, `country = 'DE'`. */
export function describeAtoms(name: string, atoms: readonly Atom[], set: Ranges, terms: Terms): string {
  const inSet = [...membersOf(set)];
  const of = (kind: AtomKind): number[] => inSet.filter((index) => atoms[index]?.kind === kind);
  const dates = intervals(atoms, of('date'), ({ moments }) => moments, dateWords);
  const texts = intervals(atoms, of('datedText'), ({ moments }) => moments, dateWords);
  const parts = [
    ...intervals(atoms, of('number'), ({ numbers }) => numbers, { any: 'is any number', text: terms.numberText }),
    // A text that names a date is compared as one.
    ...new Set([...dates, ...texts]),
    ...textWords(atoms, inSet, terms),
    ...inSet.flatMap((index) => atoms[index]?.label || []),
  ].map((part) => `${name} ${part}`);
  return parts.length > 1 ? `(${parts.join(' or ')})` : (parts[0] ?? `${name} in []`);
}

interface Words<T> {
  readonly any: string;
  readonly text: (value: T) => string;
}

const dateWords: Words<number> = { any: 'is any date', text: dateSource };

/** Neighbouring pieces as `> 5`, `in (5..10]`, `= 5`. */
function intervals<T>(
  atoms: readonly Atom[],
  members: readonly number[],
  pieceOf: (atom: Atom) => Piece<T> | undefined,
  { any, text }: Words<T>,
): string[] {
  const parts: string[] = [];
  members.forEach((index, at) => {
    if (members[at - 1] === index - 1) return;
    let end = at;
    while (members[end + 1] === (members[end] ?? 0) + 1) end++;
    const first = pieceOf(atoms[index] as Atom);
    const last = pieceOf(atoms[members[end] ?? index] as Atom);
    if (first === undefined || last === undefined) return;
    const [low, high] = [first.low, last.high];
    if (low === null && high === null) parts.push(any);
    else if (low === null && high !== null) parts.push(`${last.isPoint ? '<=' : '<'} ${text(high)}`);
    else if (high === null && low !== null) parts.push(`${first.isPoint ? '>=' : '>'} ${text(low)}`);
    else if (low !== null && high !== null)
      parts.push(
        first === last && first.isPoint
          ? `= ${text(low)}`
          : `in ${first.isPoint ? '[' : '('}${text(low)}..${text(high)}${last.isPoint ? ']' : ')'}`,
      );
  });
  return parts;
}

/** Texts that tests name, or all but some of them. */
function textWords(atoms: readonly Atom[], inSet: readonly number[], { quoted }: Terms): string[] {
  const texts = inSet.flatMap((index) => (atoms[index]?.kind === 'text' ? [atoms[index]] : []));
  if (texts.length === 0) return [];
  if (!texts.some(({ isRest }) => isRest)) return [among(texts, quoted, '=', 'in')];
  const left = atoms.filter((atom) => atom.kind === 'text' && !texts.includes(atom));
  const hasDated = atoms.some(({ kind }) => kind === 'datedText');
  if (left.length > 0) return [among(left, quoted, '!=', 'not in')];
  return [hasDated ? 'is any text that names no date' : 'is any text'];
}

function among(atoms: readonly Atom[], quoted: Terms['quoted'], one: string, several: string): string {
  const texts = atoms.map(({ value }) => quoted(typeof value === 'string' ? value : ''));
  return texts.length === 1 ? `${one} ${texts[0] ?? ''}` : `${several} [${texts.join(', ')}]`;
}
