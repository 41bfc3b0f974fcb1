import { dateCells, timeCells } from './meantDates.js';
import { numberCells } from './meantNumbers.js';
import { textCells } from './meantTexts.js';

/** What somebody may have meant by a cell of a condition. */
export interface Meaning {
  readonly name: string;
  readonly accepts: (value: unknown) => boolean;
}

/** A cell as people write it, among others of its column. */
export interface MeantCell {
  readonly cell: string;
  readonly column: 'number' | 'text' | 'date' | 'time' | 'boolean';
  /** More than one where nobody but its author can say. */
  readonly means: readonly Meaning[];
}

/** Numbers, texts, days, times and truths: some on each side of every bound that the cells below have. */
export const probes: Readonly<Record<MeantCell['column'], readonly unknown[]>> = {
  number: [
    ...[
      -1000, -500, -10, -5, -4, -1, 0, 0.005, 0.02, 0.049, 0.05, 0.051, 0.07, 0.075, 0.1, 0.11, 0.5, 1, 1.234, 1.2345,
    ],
    ...[
      1.23, 1.5, 1.51, 2, 2.49, 2.5, 2.51, 4, 4.99, 5, 5.01, 6, 7.5, 8, 9, 10, 10.01, 12, 12.5, 15, 17, 17.99, 18, 18.5,
    ],
    ...[
      20, 23.99, 24, 24.01, 25, 30, 40, 49, 50, 51, 72, 100, 234, 250, 499, 500, 501, 567, 749, 750, 800, 850, 851, 900,
    ],
    ...[
      920, 950, 951, 999, 1000, 1001, 1234, 1234.49, 1234.5, 1234.51, 1500, 1500.5, 2000, 2000.5, 2500, 4999, 5000,
      5001,
    ],
    ...[
      9999, 10_000, 10_001, 20_000, 49_999, 50_000, 50_001, 123_450, 1_000_000, 1_000_001, 1_234_567, 1_500_000,
      2_000_000,
    ],
  ],
  text: [
    ...[
      'Personal',
      'Car',
      'Boat',
      'FI',
      'SE',
      'NO',
      'DE',
      'FR',
      'Gold',
      'Silver',
      'PRUEFKEIN',
      'PRUEFGL',
      'self-employed',
    ],
    ...[
      'New York',
      'n/a',
      'N/A',
      'other',
      'Other',
      'any',
      'otherwise',
      '“Gold”',
      'R&D',
      'DE/FR',
      'Personal or Car',
      'yes',
      'no',
    ],
    ...[
      'DE, FR',
      'not Personal',
      'Côte d’Ivoire',
      'TRUE',
      'true',
      true,
      false,
      '2026-Q1',
      'Q1',
      '24h',
      'A+',
      'C++',
      '1st',
      '',
    ],
    ...[
      'Terms & Conditions',
      'FI;SE',
      'Small',
      'Small and medium',
      'medium',
      'Café',
      'N/A/N',
      '3-star',
      'B2B',
      '-',
      '*',
      'all',
    ],
  ],
  date: [
    ...['2024-12-31', '2025-01-01', '2025-01-02', '2025-06-15', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-30'],
    ...['2026-01-31', '2026-02-01', '2026-02-02', '2026-03-30', '2026-03-31', '2026-04-01', '2026-06-30', '2026-07-01'],
    ...['2026-12-31', '2027-01-01'],
  ],
  time: [
    '00:00',
    '05:00',
    '08:59',
    '09:00',
    '09:01',
    '12:00',
    '16:59',
    '17:00',
    '17:01',
    '17:59',
    '18:00',
    '18:01',
    '23:59',
  ],
  boolean: [true, false, 'TRUE', 'FALSE', 'true', 'false', 'yes', 'no', 'Yes', 'No', 'y', 'n', 'ja', 'nein', 'x', 1, 0],
};

/** Some hundreds of cells with what their authors mean; written before the code that reads them. */
export const meantCells: readonly MeantCell[] = [...numberCells, ...textCells, ...dateCells, ...timeCells];
