/** How every command ends (lifecycle.md, section 15). */
export const exitCodes = { done: 0, refused: 1, badUsage: 2, nothingChanged: 3, notSignedIn: 4 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
