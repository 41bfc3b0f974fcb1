/** What those are called who are no clients: an end user as the provider calls them, and what runs on the server itself. */
export function principalName(principal: string): string | undefined {
  const [, user, operator, system] = /^(?:user:[^#]*#(.+)|operator:(.+)|(system):.+)$/s.exec(principal) ?? [];
  if (operator !== undefined) return `${operator} (command line)`;
  return system === undefined ? user : 'the service';
}
