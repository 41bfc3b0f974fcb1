import { readConfig, type Config } from '../../src/config.js';

/**
 * The configuration of a server under test: the run's own services (`make test` sets their addresses), free ports, and
 * what the test overrides.
 */
export function testConfig(overrides: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...testEnvironment(), ...overrides });
}

/** The same as environment variables, for servers and commands in processes of their own. */
export function testEnvironment(): Record<string, string> {
  const needed = ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY'] as const;
  // Servers on one database are one service, whatever port each has: a token of one is good for all.
  const issuer = 'http://localhost:3000';
  const environment: Record<string, string> = { PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'info', ISSUER: issuer };
  for (const name of needed) {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${name} is not set: run the tests with \`make test\``);
    environment[name] = value;
  }
  return environment;
}
