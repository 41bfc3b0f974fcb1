export const states = ['OPEN', 'APPROVED', 'APPLIED', 'REJECTED', 'CLOSED'] as const;

export const verdicts = ['approve', 'reject', 'comment'] as const;
