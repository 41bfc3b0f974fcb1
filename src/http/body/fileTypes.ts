/** The media types of spreadsheets. */
export const fileTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const;

export type FileFormat = keyof typeof fileTypes;
