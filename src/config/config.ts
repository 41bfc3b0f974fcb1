import type { RunLimits } from '../../workers/protocol.js';
import { inquiriesBelow, outboundFault, outboundRemedy } from './addresses.js';
import { limitSettings, runLimitsOf } from './limits.js';
import { messageSettings } from './messages.js';
import { readPace, type Pace } from './pace.js';
import { bodiesInFlight, defaultBytesInFlight, requestSettings } from './requests.js';
import {
  baseUrl,
  flag,
  folder,
  folderOrUrl,
  hostNames,
  integer,
  key256,
  keys256,
  oneOf,
  redisNodes,
  setting,
  text,
  trustedIssuers,
  url,
  type Setting,
  type TrustedIssuer,
} from './parsers.js';
import { tracingSettings } from './tracing.js';
import { unknownSettings } from './unknown.js';

/** Every setting of the service. The table in deploy/settings.md is made from it. */
export const settings = {
  httpProcesses: setting(
    'HTTP_PROCESSES',
    integer(1, 64),
    1,
    'Server processes, each with its own pool; from 2 on a primary restarts one that dies',
  ),
  host: setting('HOST', text, '127.0.0.1', 'Address the API listens on'),
  port: setting('PORT', integer(0, 65_535), 3000, 'Port of the API'),
  adminHost: setting('ADMIN_HOST', text, '127.0.0.1', 'Address the admin port listens on; keep it private'),
  adminPort: setting('ADMIN_PORT', integer(0, 65_535), 3001, 'Port of health, metrics and pool settings'),
  adminNames: setting<readonly string[]>(
    'ADMIN_NAMES',
    hostNames,
    [],
    'Host names, separated by commas, that requests to the admin port may use besides IP addresses and private names',
  ),
  databaseUrl: setting('DATABASE_URL', url('mysql:'), undefined, 'MySQL 8 or MariaDB 10.6 and later'),
  databasePool: setting('DATABASE_POOL', integer(1, 500), 10, 'Connections to MySQL per server process'),
  databaseTimeoutMs: setting(
    'DATABASE_TIMEOUT_MS',
    integer(100, 60_000),
    1500,
    'Longest wait for a connection, then 503',
  ),
  redisUrl: setting<string | null>(
    'REDIS_URL',
    redisNodes,
    null,
    'Redis 6 and later; several nodes of a Redis Cluster, separated by commas; without it the service runs, slower',
  ),
  encryptionKey: setting(
    'ENCRYPTION_KEY',
    key256,
    undefined,
    '32 bytes, hex or base64: encrypts variables and keys at rest',
  ),
  encryptionKeysPrevious: setting<readonly Buffer[]>(
    'ENCRYPTION_KEYS_PREVIOUS',
    keys256,
    [],
    'Further keys, separated by commas, that open what is encrypted and encrypt nothing, while the key is changed',
  ),
  issuer: setting(
    'ISSUER',
    baseUrl,
    'http://localhost:3000',
    'Public base address, one for all servers of a database; `iss` and default `aud` of tokens',
  ),
  tokenLifetimeS: setting('TOKEN_LIFETIME_S', integer(10, 86_400), 3600, 'Lifetime of access tokens'),
  trustedIssuers: setting<readonly TrustedIssuer[]>(
    'TRUSTED_ISSUERS',
    trustedIssuers,
    [],
    'Issuers of end-user tokens, as a JSON list of {"issuer","jwksUri","audience"}',
  ),
  consoleOidc: setting<string | null>(
    'CONSOLE_OIDC',
    url('https:', 'http:'),
    null,
    'One of TRUSTED_ISSUERS, by which people may sign in to the console too (authorization code with PKCE)',
  ),
  consoleOidcClient: setting(
    'CONSOLE_OIDC_CLIENT',
    text,
    'verdict-console',
    "The console's client id there; its redirect URI is /console below the public address",
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    flag,
    false,
    'Take the client address from X-Forwarded-For (behind a load balancer)',
  ),
  ...requestSettings,
  poolMinThreads: setting('POOL_MIN_THREADS', integer(1, 256), 1, 'Worker threads kept at least'),
  poolMaxThreads: setting('POOL_MAX_THREADS', integer(1, 256), 2, 'Worker threads at most'),
  poolMaxQueue: setting(
    'POOL_MAX_QUEUE',
    integer(0, 1_000_000),
    1000,
    'Runs that may wait for a thread; more are answered 503',
  ),
  poolMaxQueuePerWorkspace: setting(
    'POOL_MAX_QUEUE_PER_WORKSPACE',
    integer(0, 1_000_000),
    500,
    'The same, per workspace',
  ),
  poolMaxWaitMs: setting(
    'POOL_MAX_WAIT_MS',
    integer(1, 600_000),
    2000,
    'Longest wait for a thread, expected or real, and of a large body for room, then 503',
  ),
  runTimeoutMs: setting('RUN_TIMEOUT_MS', integer(10, 600_000), 5000, 'Time limit of one run, then 504'),
  runMaxHeapMb: setting('RUN_MAX_HEAP_MB', integer(32, 4096), 128, 'Heap of one worker thread, then 500'),
  ...limitSettings,
  recordFacts: setting(
    'RECORD_FACTS',
    flag,
    true,
    'Keep the facts in the record of executions, and the traces of failed ones, which hold them',
  ),
  ...messageSettings,
  metricsDecisions: setting(
    'METRICS_DECISIONS',
    integer(0, 1000),
    50,
    'The most used decisions, so many of them, have metrics of their own in GET /metrics of each process',
  ),
  evidenceWitness: setting<string | null>(
    'EVIDENCE_WITNESS',
    folderOrUrl,
    null,
    'Where the heads of evidence are also sent: a folder (an absolute path) or an http or https URL, out of the reach of whoever can write the database',
  ),
  evidenceHeads: setting<string | null>(
    'EVIDENCE_HEADS',
    folder,
    null,
    'A folder (an absolute path) outside of the database and its backups that keeps the heads of evidence too, by which a server knows that the database was restored; EVIDENCE_WITNESS where that is a folder',
  ),
  shutdownNoticeMs: setting(
    'SHUTDOWN_NOTICE_MS',
    integer(0, 60_000),
    2000,
    'After SIGTERM requests are still served for so long, each answer with `Connection: close`; at most a quarter of SHUTDOWN_TIMEOUT_MS',
  ),
  shutdownTimeoutMs: setting('SHUTDOWN_TIMEOUT_MS', integer(100, 600_000), 10_000, 'Time to drain on SIGTERM'),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'What is logged',
  ),
  ...tracingSettings,
} as const;

/** The values of the settings, defaults included. */
type Settings = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

export type Config = Omit<Settings, 'inquiryUrl' | 'maxBytesInFlight'> & {
  readonly pace: Pace;
  readonly inquiryUrl: string;
  readonly maxBytesInFlight: number;
};

/** Every fault of the environment at once, one line each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the whole configuration. Throws `ConfigError` with all faults. An empty variable counts as not set. */
export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const read = readSettings(settings, environment, faults) as Settings;
  const known = Object.values(settings).map(({ variable }) => variable);
  faults.push(...unknownSettings(environment, known));
  checkTogether(read, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze({
    ...read,
    pace: readPace(environment),
    inquiryUrl: read.inquiryUrl ?? inquiriesBelow(read.issuer),
    maxBytesInFlight: read.maxBytesInFlight ?? defaultBytesInFlight(read.maxBodyBytes, read.maxImportBytes),
  });
}

/** Reads the limits of runs alone, for the command line, which checks models without a service. Throws `ConfigError`. */
export function readLimits(environment: Environment): RunLimits {
  const faults: string[] = [];
  const limits = readSettings(limitSettings, environment, faults) as Parameters<typeof runLimitsOf>[0];
  if (faults.length > 0) throw new ConfigError(faults);
  return runLimitsOf(limits);
}

function readSettings(
  table: Readonly<Record<string, Setting<unknown>>>,
  environment: Environment,
  faults: string[],
): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const [name, { variable, parse, fallback, explanation }] of Object.entries(table)) {
    const value = environment[variable];
    if (value === undefined || value === '') {
      if (fallback === undefined) faults.push(`${variable} must be set: ${explanation}`);
      config[name] = fallback;
      continue;
    }
    try {
      config[name] = parse(value);
    } catch (error) {
      // The value itself is not shown: it may be a secret.
      faults.push(`${variable} must be ${error instanceof Error ? error.message : 'valid'}`);
    }
  }
  return config;
}

/** Checks settings against one another; those with a fault of their own are absent. */
function checkTogether(config: Partial<Settings>, faults: string[]): void {
  const { poolMinThreads = 0, poolMaxThreads = Infinity } = config;
  const { trustedIssuers = [], maxBytesInFlight = null, maxBodyBytes = 0 } = config;
  if (maxBytesInFlight !== null && maxBytesInFlight < bodiesInFlight * maxBodyBytes) {
    faults.push(`MAX_BYTES_IN_FLIGHT must be at least ${bodiesInFlight} times MAX_BODY_BYTES`);
  }
  faults.push(...gatewayFaults(config));
  if (poolMinThreads > poolMaxThreads) faults.push('POOL_MIN_THREADS must not be above POOL_MAX_THREADS');
  if (trustedIssuers.some(({ issuer }) => issuer === config.issuer)) {
    faults.push('TRUSTED_ISSUERS must not name ISSUER, which signs the tokens of clients');
  }
  if (typeof config.consoleOidc === 'string' && !trustedIssuers.some(({ issuer }) => issuer === config.consoleOidc)) {
    faults.push('CONSOLE_OIDC must be one of TRUSTED_ISSUERS');
  }
  const issuers = trustedIssuers.map(({ issuer }) => issuer);
  const repeated = issuers.filter((issuer, at) => issuers.indexOf(issuer) < at);
  // A token names only its issuer, so that two entries of one issuer would be ambiguous.
  for (const issuer of new Set(repeated)) faults.push(`TRUSTED_ISSUERS must not name ${issuer} twice`);
}

/** Faults of a gateway address that the outbound guard would always refuse. */
function gatewayFaults({ smsGatewayUrl, outboundAllow }: Partial<Settings>): string[] {
  if (typeof smsGatewayUrl !== 'string' || outboundAllow === undefined) return [];
  const fault = outboundFault(smsGatewayUrl, outboundAllow);
  return fault === undefined
    ? []
    : [`SMS_GATEWAY_URL must be an address that may be called: ${fault}; ${outboundRemedy(smsGatewayUrl)}`];
}
