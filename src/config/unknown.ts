import { nearest } from '../../workers/nearest/index.js';

/**
 * First words of settings that others use as well: platforms and the programs beside a server set `REDIS_TLS_URL`,
 * `DATABASE_PASSWORD`, `HTTP_PROXY` or `FUNCTION_NAME`, and OpenTelemetry has many more variables than the service reads. Of these
 * only what is nearly a setting is taken for one, as of names that begin otherwise.
 */
const shared: ReadonlySet<string> = new Set(['DATABASE', 'FUNCTION', 'HTTP', 'LOG', 'MAIL', 'OTEL', 'REDIS', 'SMTP']);
/** In how many letters a name differs that is nearly a setting's, and from how many on: short ones are near to many words. */
const misspelt = 2;
const shortest = 8;

/**
 * What Kubernetes and Docker set in a container for each service beside it: a service named `redis` gives `REDIS_PORT`, which is a
 * URL, `REDIS_SERVICE_HOST` and `REDIS_PORT_6379_TCP_ADDR`.
 */
const isServiceLink = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value));

const firstWord = (name: string): string | undefined => /^([A-Z]+)_/.exec(name)?.[1];

/** Faults of variables that look like settings and are none: what was meant by one would have no effect, and nobody would know. */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const words = new Set(known.flatMap((name) => firstWord(name) ?? []).filter((word) => !shared.has(word)));
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (value === '' || known.includes(name) || isServiceLink(name, value)) return [];
    const word = firstWord(name);
    if (word === undefined || !words.has(word)) {
      // Who misspells begins right: `EMAIL_FROM` is another program's.
      const alike = known.filter((one) => one.startsWith(name.slice(0, 1)));
      const meant = name.length < shortest ? undefined : nearest(name, alike, misspelt);
      return meant === undefined ? [] : [`${name} is no setting: did you mean ${meant}?`];
    }
    const alike = known.filter((one) => firstWord(one) === word);
    const meant = nearest(name, alike);
    const advice =
      meant === undefined ? `the settings that begin so are ${alike.join(', ')}` : `did you mean ${meant}?`;
    return [`${name} is no setting: ${advice}`];
  });
}
