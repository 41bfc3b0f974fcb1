/** Of a request. */
export const states = ['OPEN', 'APPROVED', 'APPLIED', 'REJECTED', 'CLOSED'] as const;

/** What a review says of it. */
export const verdicts = ['approve', 'reject', 'comment'] as const;
