import { expect } from 'chai';
import { ConfigError, readConfig, settings } from '../../../src/config/config.js';

const needed = { DATABASE_URL: 'mysql://u:p@localhost/v', ENCRYPTION_KEY: 'ab'.repeat(32) };

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).faults;
  }
  return [];
}

describe('config', () => {
  it('has the defaults that contract.md names', () => {
    const config = readConfig(needed);
    expect(config).to.include({
      port: 3000,
      adminPort: 3001,
      adminHost: '127.0.0.1',
      tokenLifetimeS: 3600,
      redisUrl: null,
    });
    expect(config.encryptionKey).to.have.length(32);
    expect(Object.isFrozen(config)).to.equal(true);
  });

  it('has inquiries below the public address, unless they stand elsewhere', () => {
    const inquiryUrl = (environment: Record<string, string>): string =>
      readConfig({ ...needed, ...environment }).inquiryUrl;
    expect(inquiryUrl({})).to.equal('http://localhost:3000/inquiries');
    const ISSUER = 'https://verdict.example/base/';
    expect(inquiryUrl({ ISSUER })).to.equal('https://verdict.example/base/inquiries');
    const INQUIRY_URL = 'https://flow.example/start';
    expect(inquiryUrl({ ISSUER, INQUIRY_URL })).to.equal(INQUIRY_URL);
  });

  it('takes any share from 0 to 1, both included', () => {
    for (const share of ['0', '0.25', '1']) {
      const sampling = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: share };
      expect(faultsOf({ ...needed, ...sampling }), share).to.deep.equal([]);
    }
  });

  describe('refuses at start what can never work', () => {
    const privateHost =
      'SMS_GATEWAY_URL must be an address that may be called: the host is not a public address; name it in OUTBOUND_ALLOW as ';
    const forms = {
      private: (host: string) => `${privateHost}${host}, if it is yours`,
      plain: (name: string) => `${name} must be a URL without user and password`,
      bare: (name: string) => `${name} must be a URL without query and fragment`,
    };
    for (const [what, environment, form, of] of [
      ['a gateway with credentials', 'SMS_GATEWAY_URL=https://u:p@sms.example', 'plain', 'SMS_GATEWAY_URL'],
      ['a private gateway', 'SMS_GATEWAY_URL=http://10.0.0.7/send', 'private', '10.0.0.7:80'],
      ['a gateway on this machine', 'SMS_GATEWAY_URL=http://localhost:8080', 'private', 'localhost:8080'],
      ['one of another port', 'SMS_GATEWAY_URL=http://[::1]:8080 OUTBOUND_ALLOW=[::1]:8081', 'private', '[::1]:8080'],
      ['a flow with a query', 'INQUIRY_URL=https://flow.example/?a=1', 'bare', 'INQUIRY_URL'],
      ['a flow with a fragment', 'INQUIRY_URL=https://flow.example/#/start', 'bare', 'INQUIRY_URL'],
      ['a flow with credentials', 'INQUIRY_URL=https://u:p@flow.example', 'plain', 'INQUIRY_URL'],
      ['an issuer with a query', 'ISSUER=https://verdict.example?a', 'bare', 'ISSUER'],
    ] as const)
      it(what, () => {
        const set = Object.fromEntries(environment.split(' ').map((each) => each.split(/=(.*)/) as [string, string]));
        expect(faultsOf({ ...needed, ...set })).to.deep.equal([forms[form](of)]);
      });

    for (const from of [
      ...['Verdict', 'noreply', 'Verdict <noreply>', 'a@b.example, c@d.example', 'A, B <a@b.example>'],
      ...['x\r\nBcc: a@b.example', 'A <a@b.example> B', '<>', 'a b@c.example'],
    ])
      it(`mails from ${JSON.stringify(from)}`, () =>
        expect(faultsOf({ ...needed, MAIL_FROM: from })).to.deep.equal([
          'MAIL_FROM must be an email address, or Name <address>',
        ]));

    const pools = 'POOL_MIN_THREADS, POOL_MAX_THREADS, POOL_MAX_QUEUE, POOL_MAX_QUEUE_PER_WORKSPACE, POOL_MAX_WAIT_MS';
    for (const [name, advice] of [
      ['RUN_TIMEOUT_MILLIS', 'did you mean RUN_TIMEOUT_MS?'],
      ['EVIDENCE_WITNES', 'did you mean EVIDENCE_WITNESS?'],
      ['ENCRYPTION_KEY_PREVIOUS', 'did you mean ENCRYPTION_KEYS_PREVIOUS?'],
      ['POOL_X', `the settings that begin so are ${pools}`],
      ['REDIS_URLS', 'did you mean REDIS_URL?'],
      ['LOG_LEVELS', 'did you mean LOG_LEVEL?'],
      ['LOGLEVEL', 'did you mean LOG_LEVEL?'],
      ['POLL_MAX_THREADS', 'did you mean POOL_MAX_THREADS?'],
      ['TRUSTEDISSUERS', 'did you mean TRUSTED_ISSUERS?'],
      ['OTEL_EXPORTER_OTLP_ENDPONT', 'did you mean OTEL_EXPORTER_OTLP_ENDPOINT?'],
    ] as const)
      it(`${name}, which is nearly a setting, or begins as one, and is none`, () =>
        expect(faultsOf({ ...needed, [name]: '1' })).to.deep.equal([`${name} is no setting: ${advice}`]));

    it('and nothing that platforms and other programs set, nor what is empty', () => {
      const others = {
        EMAIL_FROM: 'shop@example.com',
        ...{ REDIS_SERVICE_HOST: '10.0.0.1', REDIS_SERVICE_PORT: '6379', REDIS_SERVICE_PORT_TLS: '6380' },
        ...{ REDIS_PORT: 'tcp://10.0.0.1:6379', REDIS_PORT_6379_TCP: 'tcp://10.0.0.1:6379' },
        ...{ REDIS_PORT_6379_TCP_PROTO: 'tcp', REDIS_PORT_6379_TCP_PORT: '6379', REDIS_PORT_6379_TCP_ADDR: '10.0.0.1' },
        ...{ POOL_SERVICE_HOST: '10.0.0.2', EVIDENCE_PORT: 'tcp://10.0.0.3:80', MYSQL_SERVICE_HOST: '10.0.0.4' },
        ...{ REDIS_TLS_URL: 'rediss://x', REDIS_PASSWORD: 'x', DATABASE_PASSWORD: 'x', DATABASE_PUBLIC_URL: 'x' },
        ...{ HTTP_PROXY: 'http://proxy', OTEL_TRACES_EXPORTER: 'otlp', FUNCTION_NAME: 'x', LOG_FORMAT: 'json' },
        ...{ SMTP_HOST: 'x', MAIL_USER: 'x', HOSTNAME: 'x', PORTAL: 'x', POOL_NOTHING: '' },
        ...{ OTEL_LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c', OTEL_METRICS_EXPORTER: 'none' },
        ...{ HOSTS: 'x', POST: 'x', LOGNAME: 'x', NODE_OPTIONS: '--trace-warnings', GIT_EDITOR: 'x', MYSQL_HOST: 'x' },
      };
      expect(faultsOf({ ...needed, ...others })).to.deep.equal([]);
    });

    it('and nothing that may work', () => {
      for (const from of [
        'a@b.example',
        'Verdict <noreply@localhost>',
        '"Shelter, Inc." <hello@shelter.example>',
        'Löytöeläin <a+b@c.example>',
      ]) {
        expect(faultsOf({ ...needed, MAIL_FROM: from })).to.deep.equal([]);
      }
      const named = { SMS_GATEWAY_URL: 'http://10.0.0.7/send', OUTBOUND_ALLOW: '10.0.0.7:80' };
      expect(faultsOf({ ...needed, ...named })).to.deep.equal([]);
      expect(faultsOf({ ...needed, SMS_GATEWAY_URL: 'https://sms.example/send?key=1' })).to.deep.equal([]);
    });
  });

  it('has one issuer for servers on different ports, so that each takes the other’s tokens', () => {
    expect(readConfig({ ...needed, PORT: '3100' }).issuer).to.equal('http://localhost:3000');
  });

  it('lets no issuer of end users have the address that tokens of clients are of, be it set or not', () => {
    const trusted = JSON.stringify([{ issuer: 'http://localhost:3000', jwksUri: 'https://a/jwks', audience: 'v' }]);
    const fault = 'TRUSTED_ISSUERS must not name ISSUER, which signs the tokens of clients';
    expect(faultsOf({ ...needed, TRUSTED_ISSUERS: trusted })).to.deep.equal([fault]);
    expect(faultsOf({ ...needed, TRUSTED_ISSUERS: trusted, ISSUER: 'https://verdict.example' })).to.deep.equal([]);
  });

  it('names a provider of the console that is no trusted issuer', () => {
    const trusted = JSON.stringify([
      { issuer: 'https://id.example', jwksUri: 'https://id.example/keys', audience: 'a' },
    ]);
    const faults = (CONSOLE_OIDC: string): readonly string[] =>
      faultsOf({ ...needed, TRUSTED_ISSUERS: trusted, CONSOLE_OIDC });
    expect(faults('https://id.example')).to.deep.equal([]);
    expect(faults('https://other.example')).to.deep.equal(['CONSOLE_OIDC must be one of TRUSTED_ISSUERS']);
  });

  it('names an issuer that stands in TRUSTED_ISSUERS twice', () => {
    const entry = (issuer: string, audience: string) => ({ issuer, jwksUri: 'https://a/jwks', audience });
    const [a, b] = ['https://a.example', 'https://b.example'];
    const trusted = JSON.stringify([entry(a, 'v'), entry(b, 'v'), entry(a, 'w'), entry(b, 'v'), entry(a, 'x')]);
    expect(faultsOf({ ...needed, PORT: 'eighty', TRUSTED_ISSUERS: trusted })).to.deep.equal([
      'PORT must be a whole number from 0 to 65535',
      `TRUSTED_ISSUERS must not name ${a} twice`,
      `TRUSTED_ISSUERS must not name ${b} twice`,
    ]);
    expect(faultsOf({ ...needed, TRUSTED_ISSUERS: JSON.stringify([entry(a, 'v'), entry(b, 'v')]) })).to.deep.equal([]);
  });

  it('reports all faults at once, without the values', () => {
    const faults = faultsOf({
      PORT: 'eighty',
      RUN_TIMEOUT_MS: '0',
      RECORD_FACTS: 'perhaps',
      ENCRYPTION_KEY: 'hunter2',
    });
    expect(faults).to.deep.equal([
      'PORT must be a whole number from 0 to 65535',
      `DATABASE_URL must be set: ${settings.databaseUrl.explanation}`,
      'ENCRYPTION_KEY must be 32 bytes as 64 hex digits or as base64 (make one: openssl rand -hex 32)',
      'RUN_TIMEOUT_MS must be a whole number from 10 to 600000',
      'RECORD_FACTS must be true or false',
    ]);
  });

  it('reports a faulty TRUSTED_ISSUERS beside the others', () => {
    for (const value of ['x', '{}']) {
      expect(faultsOf({ ...needed, PORT: 'eighty', TRUSTED_ISSUERS: value }), value).to.deep.equal([
        'PORT must be a whole number from 0 to 65535',
        'TRUSTED_ISSUERS must be a JSON list of {"issuer", "jwksUri", "audience"}',
      ]);
    }
  });

  it('says which entry of TRUSTED_ISSUERS is wrong, and which of its members', () => {
    const good = { issuer: 'https://id.example', jwksUri: 'https://id.example/jwks', audience: 'v' };
    const { audience: _, ...without } = good;
    for (const [entry, fault] of [
      [null, 'a JSON list of {"issuer", "jwksUri", "audience"}; entry 2 is no object'],
      [without, 'a JSON list of {"issuer", "jwksUri", "audience"}; entry 2 has no text as its "audience"'],
      [{ ...good, issuer: 7 }, 'a JSON list of {"issuer", "jwksUri", "audience"}; entry 2 has no text as its "issuer"'],
      [
        { ...good, jwksUri: 'id.example/jwks' },
        'a JSON list whose entry 2 has as its "jwksUri" a URL that starts with https:// or http://',
      ],
      [{ ...good, issuer: 'https://id.example#a' }, 'a JSON list whose entry 2 has an "issuer" without #'],
    ] as const) {
      const TRUSTED_ISSUERS = JSON.stringify([good, entry]);
      expect(faultsOf({ ...needed, TRUSTED_ISSUERS })).to.deep.equal([`TRUSTED_ISSUERS must be ${fault}`]);
    }
  });

  it('gives function nodes no less memory than their libraries need, 20 MB', () => {
    expect(faultsOf({ ...needed, FUNCTION_MAX_HEAP_MB: '19' })).to.have.length(1);
    expect(faultsOf({ ...needed, FUNCTION_MAX_HEAP_MB: '20' })).to.deep.equal([]);
  });

  it('checks what only makes sense together', () => {
    expect(faultsOf({ ...needed, POOL_MIN_THREADS: '4', POOL_MAX_THREADS: '2' })).to.deep.equal([
      'POOL_MIN_THREADS must not be above POOL_MAX_THREADS',
    ]);
    const [MAX_BODY_BYTES, MAX_BYTES_IN_FLIGHT] = [String(8 * 2 ** 20), String(100 * 2 ** 20)];
    expect(faultsOf({ ...needed, MAX_BODY_BYTES, MAX_BYTES_IN_FLIGHT })).to.deep.equal([
      'MAX_BYTES_IN_FLIGHT must be at least 16 times MAX_BODY_BYTES',
    ]);
    expect(readConfig({ ...needed, MAX_BODY_BYTES: String(64 * 2 ** 20) }).maxBytesInFlight).to.equal(2 ** 30);
  });

  it('takes names of the admin port, and no ports or patterns among them', () => {
    const names = readConfig({ ...needed, ADMIN_NAMES: 'verdict.prod, Metrics.example.org' }).adminNames;
    expect(names).to.deep.equal(['verdict.prod', 'Metrics.example.org']);
    for (const wrong of ['a.example:3001', '*.example', 'a..b', 'a b', ','])
      expect(faultsOf({ ...needed, ADMIN_NAMES: wrong }).join()).to.equal(
        'ADMIN_NAMES must be host names, separated by commas',
      );
  });

  it('takes the nodes of a Redis Cluster, and says what is wrong with them', () => {
    const config = readConfig({ ...needed, REDIS_URL: 'redis://:p@a:1, redis://:p@b:2' });
    expect(config.redisUrl).to.equal('redis://:p@a:1,redis://:p@b:2');
    const faultOf = (value: string): string => faultsOf({ ...needed, REDIS_URL: value }).join();
    expect(faultOf('redis://a:1,b:2')).to.equal('REDIS_URL must be a URL that starts with redis:// or rediss://');
    for (const mixed of ['redis://a:1,rediss://b:2', 'redis://:p@a:1,redis://:q@b:2', 'redis://a:1,redis://u@b:2'])
      expect(faultOf(mixed)).to.match(/^REDIS_URL must be nodes of one cluster, with the same/);
    expect(faultOf('redis://a:1/1,redis://b:2/1')).to.match(/without a number of a database/);
  });

  it('takes the settings of OpenTelemetry as its specification writes them', () => {
    const config = readConfig({
      ...needed,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%2Cb%3D, x=',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(config).to.deep.include({
      otlpHeaders: { 'api-key': 'a,b=', x: '' },
      tracesSampler: 'parentbased_traceidratio',
      tracesSamplerArg: 0.25,
    });
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'hunter2',
      OTEL_RESOURCE_ATTRIBUTES: 'a=%',
      OTEL_TRACES_SAMPLER: 'some',
      OTEL_TRACES_SAMPLER_ARG: '1.5',
    };
    expect(faultsOf({ ...needed, ...wrong }).map((fault) => fault.split(' must ')[0])).to.have.members(
      Object.keys(wrong),
    );
  });

  it('takes an empty variable as not set, and a key as base64', () => {
    const config = readConfig({ ...needed, PORT: '', ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') });
    expect(config.port).to.equal(3000);
    expect(config.encryptionKey.equals(Buffer.alloc(32, 9))).to.equal(true);
  });
});
