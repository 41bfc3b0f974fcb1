/** What people read of decisions: that most models are JSON says nothing to them. Pages have it, too; it imports nothing. */
export const decisionName = (key: string): string => key.replace(/\.json$/, '');

/** What the service says of decisions by their keys, with their names. */
export const inNames = (text: string, decisions: readonly { readonly key: string }[]): string =>
  decisions.reduce(
    (told, { key }) =>
      [':', ','].reduce((each, end) => each.replaceAll(`${key}${end} `, `${decisionName(key)}${end} `), told),
    text,
  );
