import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { ZenEngine } from '@gorules/zen-engine';
import fastify from 'fastify';
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import Koa from 'koa';
import Router from '@koa/router';
import { koaBody } from 'koa-body';
import { LRUCache } from 'lru-cache';
import { createPool } from 'mysql2/promise';

// The peers of the benchmark, one a process: `node peers.js koa|fastify|fastify-traced|fastify-recorded <model>`. Each
// answers POST /run with what it makes of the model.

const [peer = '', modelPath = ''] = process.argv.slice(2);

// A benchmark that is killed cannot stop them: they see its channel close.
process.on('disconnect', () => process.exit());

/** @param token that requests must show, where the peer asks for one */
function ready(port: number, token?: string): void {
  process.send?.({ kind: 'ready', port, token });
}

/** What Koa itself costs: it reads a body and sends the fact back. */
function koaEcho(): void {
  const app = new Koa();
  const router = new Router();
  router.post('/run', koaBody({ jsonLimit: '2mb' }), (ctx) => {
    ctx.status = 201;
    ctx.body = ctx.request.body;
  });
  app.use(router.routes());
  const server = app.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port));
}

/** The native engine in the server's own process: no authentication, no isolation, no record. */
async function fastifyZen(trace: boolean): Promise<void> {
  const engine = new ZenEngine();
  const app = fastify({ bodyLimit: 2 * 1024 * 1024 });
  const decision = engine.createDecision(readFileSync(modelPath));
  app.post<{ Body: { fact: object } }>('/run', async (request, reply) => {
    void reply.code(201);
    return decision.evaluate(request.body.fact, { trace });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ready((app.server.address() as AddressInfo).port);
}

/**
 * What somebody would write who needs what we promise of an execution, but for isolation: a JWT that is verified once and
 * remembered, its scope, the engine in process, and a record that is committed before the answer.
 */
async function fastifyRecorded(): Promise<void> {
  const issuer = 'https://issuer.test/';
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'peer', alg: 'ES256' }] });
  const token = await new SignJWT({ scope: 'execution:create' })
    .setProtectedHeader({ alg: 'ES256', kid: 'peer' })
    .setIssuer(issuer)
    .setSubject('client')
    .setExpirationTime('1h')
    .sign(privateKey);
  const verified = new LRUCache<string, { readonly subject: string; readonly scopes: readonly string[] }>({
    max: 1000,
    ttl: 60_000,
  });
  const authenticate = async (
    header = '',
  ): Promise<{ readonly subject: string; readonly scopes: readonly string[] }> => {
    const known = verified.get(header);
    if (known !== undefined) return known;
    const { payload } = await jwtVerify(header.replace(/^Bearer /, ''), keys, { issuer });
    const found = { subject: payload.sub ?? '', scopes: String(payload['scope']).split(' ') };
    verified.set(header, found);
    return found;
  };
  const pool = createPool({ uri: process.env.DATABASE_URL ?? '', connectionLimit: 10 });
  await pool.query(`CREATE TABLE IF NOT EXISTS peer_executions (id CHAR(36) CHARACTER SET ascii PRIMARY KEY,
    subject VARCHAR(100) NOT NULL, fact JSON NOT NULL, result JSON NOT NULL, engine_us INT NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))`);
  const engine = new ZenEngine();
  const app = fastify({ bodyLimit: 2 * 1024 * 1024 });
  const decision = engine.createDecision(readFileSync(modelPath));
  app.post<{ Body: { fact: object } }>('/run', async (request, reply) => {
    const { subject, scopes } = await authenticate(request.headers.authorization);
    if (!scopes.includes('execution:create')) return reply.code(403).send({ code: 'insufficient_scope' });
    const { fact } = request.body;
    const started = performance.now();
    const { result } = (await decision.evaluate(fact)) as { readonly result: unknown };
    const id = randomUUID();
    const us = Math.round((performance.now() - started) * 1000);
    await pool.execute('INSERT INTO peer_executions (id, subject, fact, result, engine_us) VALUES (?, ?, ?, ?, ?)', [
      id,
      subject,
      JSON.stringify(fact),
      JSON.stringify(result),
      us,
    ]);
    return reply.code(201).send({ id, result });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ready((app.server.address() as AddressInfo).port, token);
}

if (peer === 'koa') koaEcho();
else if (peer === 'fastify-recorded') await fastifyRecorded();
else await fastifyZen(peer === 'fastify-traced');
