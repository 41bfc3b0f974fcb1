/** What a schema that is read out of tables says of a text that they compare as a time of day. */
export const clockPattern = '^([01]\\d|2[0-3]):[0-5]\\d';
