/** How the same signs are read in different countries: `1.500` is one and a half, or fifteen hundred. */
export interface Style {
  readonly decimal: '.' | ',';
  /** Whether the month comes before the day in `01/02/2026`. */
  readonly isMonthFirst: boolean;
  /** Whether numbers are hours, as they are among times of the day: `06.00`, `8-16`. */
  readonly hasHours?: boolean;
  /** Whether four digits are a year, as they are among days: `since 2027`. */
  readonly hasYears?: boolean;
}

/** As ZEN has numbers and ISO has days. */
export const isoStyle: Style = { decimal: '.', isMonthFirst: true };

/** As times are written where no `:` is between hours and minutes. */
export const hourStyle: Style = { ...isoStyle, hasHours: true };

/** All that a person may have been used to. */
export const styles: readonly Style[] = [
  isoStyle,
  { decimal: ',', isMonthFirst: true },
  { decimal: '.', isMonthFirst: false },
  { decimal: ',', isMonthFirst: false },
];

/** What kind of values a reader finds, and what they are in ZEN. */
export interface ReadValue {
  /** A ZEN literal; of a day and a time the text without quotes. */
  readonly text: string;
  /** What people add to numbers: `%`, `k`, a currency, a unit. */
  readonly mark?: 'percent' | 'scale' | 'currency' | 'unit' | 'otherUnit' | undefined;
  readonly unit?: string | undefined;
}

/** One kind of blank, one kind of dash and no blanks around it: files of spreadsheets have many. */
export const withPlainSigns = (text: string): string =>
  text
    .replace(/[\u00A0\u2007\u2009\u202F\u3000\s]+/g, ' ')
    .replace(/\u200B|\uFEFF/g, '')
    .replace(/\u2212/g, '-')
    .trim();
