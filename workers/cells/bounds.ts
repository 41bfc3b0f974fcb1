/** How a value alone may be meant in a column. */
export type Bounds = readonly ('>=' | '<=')[];

/** Names of columns of first and of last days and times, which may be called after these: `Effective date`, `Opening time`. */
const bounds = [
  [
    '>=',
    /(?:^|[ ._-])(?:from|since|(?:on[ ._-]or|and)[ ._-]after|not[ ._-]before|earliest|starting|begins?|ab|von|seit|beginn|alkaen|alkaa|från|du|dès|début|desde|inicio|inizio|opens|(?:effective|opening|start(?:ing)?)(?:[ ._-](?:date|day|time|hour))?)$/iu,
  ],
  [
    '<=',
    /(?:^|[ ._-])(?:until|till|to|(?:on[ ._-]or|and)[ ._-]before|not[ ._-]after|latest|through|ends?|bis|ende|asti|saakka|päättyy|au|jusqu[’']au|fin|hasta|fine|closes|expires|(?:expiry|closing|end(?:ing)?)(?:[ ._-](?:date|day|time|hour))?)$/iu,
  ],
] as const;

/** Names of columns of lowest and of highest numbers: of a first or last word, or of a last one alone, as an account may be one `to`. */
const numberBounds = [
  [
    '>=',
    /^(?:min|minimum|lower|lowest)\b|(?:^|[ ._-])(?:min\.?|minimum|lower|lowest|at least|from|von|ab|mindestens|alkaen|från|de|à partir de|desde)$/iu,
  ],
  [
    '<=',
    /^(?:max|maximum|upper|highest)\b|(?:^|[ ._-])(?:max\.?|maximum|upper|highest|at most|to|bis|höchstens|asti|till|à|jusqu[’']à|hasta)$/iu,
  ],
] as const;

/** @param cells those of the column, in their order */
export function boundsOf(
  { name }: { readonly name?: unknown },
  cells: readonly string[],
  { kind, isStored }: { readonly kind: string; readonly isStored: boolean },
): Bounds {
  if (kind === 'number') {
    // `minScore` and `score_max` are words, too.
    const words = typeof name === 'string' ? name.trim().replace(/(\p{Ll})(?=\p{Lu})|_/gu, '$1 ') : '';
    return isStored ? [] : numberBounds.flatMap(([bound, pattern]) => (pattern.test(words) ? [bound] : [])).slice(0, 1);
  }
  const [named] = bounds.find(([, pattern]) => typeof name === 'string' && pattern.test(name.trim())) ?? [];
  if (named !== undefined) return [named];
  // Who has said that these are dates means each day by itself, as in a list of holidays.
  return !isStored && haveOrder(cells) ? ['>=', '<='] : [];
}

const oneDate = /^(?:[<>]=? *d\()?"(\d{4}-\d\d-\d\d)"\)?$/;
const oneTime = /^(?:time\(\$\) *[<>]=? *time\()?"(\d\d:\d\d(?::\d\d)?)"\)?$/;
const fewest = 3;
const fewestAgain = 2;

/**
 * Whether each date or time is later than the one before it, or each is earlier, as those of a table of rates are; with several
 * products they begin again, each with the first one.
 */
function haveOrder(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const moments = [oneDate, oneTime]
    .map((pattern) => filled.flatMap((cell) => pattern.exec(cell)?.[1] ?? []))
    .find(({ length }) => length === filled.length);
  const inOrder = (isNext: (one: string, next: string) => boolean): boolean => {
    const begins = (moments ?? []).flatMap((moment, at) =>
      at > 0 && isNext(moments?.[at - 1] ?? '', moment) ? [] : [{ moment, at }],
    );
    const isWhole = ({ at }: { readonly at: number }, index: number): boolean =>
      (begins[index + 1]?.at ?? filled.length) - at >= fewestAgain;
    return begins.every((begin, index) => begin.moment === begins[0]?.moment && isWhole(begin, index));
  };
  return (
    moments !== undefined &&
    moments.length >= fewest &&
    (inOrder((one, next) => one < next) || inOrder((one, next) => one > next))
  );
}
