/** What each hit policy does with the rows that match. */
const words: Readonly<Record<string, string>> = {
  first: 'the first row that matches counts',
  collect: 'all rows that match count, as a list',
  UNIQUE: 'one row at most may match',
  FIRST: 'the first row that matches counts',
  PRIORITY: 'of the rows that match, the one with the highest value counts',
  ANY: 'several rows may match, with the same result',
  COLLECT: 'all rows that match count, as a list',
  'COLLECT SUM': 'the sum of all rows that match',
  'COLLECT MIN': 'the smallest of all rows that match',
  'COLLECT MAX': 'the largest of all rows that match',
  'COLLECT COUNT': 'how many rows match',
  'RULE ORDER': 'all rows that match count, in their order, as a list',
  'OUTPUT ORDER': 'all rows that match count, in the order of their values, as a list',
};

/** A hit policy, and what it does: `COLLECT SUM: the sum of all rows that match`. */
export const hitPolicyWords = (policy: string): string => [policy, words[policy]].filter(Boolean).join(': ');
