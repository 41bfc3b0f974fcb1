import { readConfig, type Config } from '../../src/config/config.js';
import { paceAt } from '../../src/config/pace.js';

/**
 * How many times as fast as usual the background works in tests: so many times less is waited for it. At 20 times its looks
 * took a fifth of a processor of each server.
 */
const testSpeed = 5;
export const testPace = paceAt(testSpeed);

/**
 * Limits of a server that the machine may keep waiting, for tests of everything else: with the usual ones it rightly
 * answers 503 or 504 on a machine that is slow or stands still for a moment.
 */
export const longTimeouts = {
  DATABASE_TIMEOUT_MS: '30000',
  POOL_MAX_WAIT_MS: '60000',
  RUN_TIMEOUT_MS: '60000',
  SHUTDOWN_TIMEOUT_MS: '60000',
  TEST_PATIENCE: '10',
} as const;

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
  environment['TEST_PACE'] = String(testSpeed);
  // Nobody is left to be told: a test's clients are its own.
  environment['SHUTDOWN_NOTICE_MS'] = '0';
  for (const name of needed) {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${name} is not set: run the tests with \`make test\``);
    environment[name] = value;
  }
  return environment;
}
