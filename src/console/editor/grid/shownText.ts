/**
 * What a cell shows while nobody writes in it, as a spreadsheet shows its values: days and times without what makes a moment of them,
 * and a range as its two ends. What the cell says stands in the line above the grid.
 */
export const shownText = (source: string): string =>
  /\b(?:d|time)\(/.test(source)
    ? source
        .replaceAll(moment, '$1')
        .replaceAll(ofTime, '')
        .replace(/^>= (\S+) and <= (\S+)$/, '$1 – $2')
        .replace(/^\[(\S+?)\.\.(\S+)\]$/, '$1 – $2')
    : source;

const moment = /\b(?:d|time)\((?:"|')([\d:TZ.+-]+)(?:"|')\)/g;
/** A time of the day is asked of whatever has one. */
const ofTime = /\btime\(\$\) */g;
