/** Whether a cell of a sheet says something: blanks alone do not. */
export const isFilled = (cell = ''): boolean => cell.trim() !== '';
