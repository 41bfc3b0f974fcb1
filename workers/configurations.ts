import { readJson, redactor, tried, type Redactor, type RunOptions, type ValueObject } from './engine/index.js';
import type { Configuration } from './protocol.js';
import { Recent } from './recent/index.js';

/** Configurations held at most. Their redactors' searches have a bound of their own. */
const maxConfigurations = 200;

/** A configuration, ready for runs. */
export interface LoadedConfiguration {
  readonly env: ValueObject;
  /** Names of the variables that are secret. */
  readonly secretNames: ReadonlySet<string>;
  readonly redactor: Redactor;
  /** Absent: no host may be called. */
  readonly http: RunOptions['http'];
}

/** What evaluations run with where their workspace allows no host: no variables, no secrets, no hosts. */
const empty: LoadedConfiguration = { env: {}, secretNames: new Set(), redactor: redactor({}), http: undefined };

/** Configurations by environment and revision; the empty id stands for none. */
export interface Configurations {
  /** Undefined when it is not held. */
  get(configurationId: string): LoadedConfiguration | undefined;
  /** Keeps a configuration (JSON text of a `Configuration`). */
  load(configurationId: string, configuration: string): LoadedConfiguration;
}

/** With all digits of its numbers, unless one of them is beyond what the language has: that one stays a double. */
const readConfiguration = (text: string): Configuration =>
  (tried(() => readJson(text, Number).value) ?? (JSON.parse(text) as unknown)) as Configuration;

/** @param maxBytes of configurations, as JSON text, that are held */
export function createConfigurations(maxBytes: number): Configurations {
  const recent = new Recent<LoadedConfiguration>({ maxCount: maxConfigurations, maxWeight: maxBytes });
  return {
    get: (configurationId) => (configurationId === '' ? empty : recent.get(configurationId)),
    load(configurationId, text) {
      const { variables, secrets, httpHosts, privateHosts = [] } = readConfiguration(text);
      const env = variables as ValueObject;
      const loaded = {
        env,
        secretNames: new Set(secrets),
        redactor: redactor(Object.fromEntries(secrets.map((name) => [name, env[name] ?? null]))),
        http: httpHosts.length === 0 ? undefined : { allow: httpHosts, allowPrivate: privateHosts },
      };
      recent.set(configurationId, loaded, text.length);
      return loaded;
    },
  };
}
