/** In place of Monaco, of which the editor needs this alone; `monacoReact.tsx` has an editor of code. */
export const MarkerSeverity = { Hint: 1, Info: 2, Warning: 4, Error: 8 } as const;
