import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { ZenEngine } from '@gorules/zen-engine';
import fastify from 'fastify';
import Koa from 'koa';
import Router from '@koa/router';
import { koaBody } from 'koa-body';

// The peers of the benchmark, one a process: `node peers.js koa|fastify|fastify-traced <model> …`. Each answers POST /run/0
// with what it makes of the first model, /run/1 of the second.

const [peer = '', ...modelPaths] = process.argv.slice(2);

// A benchmark that is killed cannot stop them: they see its channel close.
process.on('disconnect', () => process.exit());

function ready(port: number): void {
  process.send?.({ kind: 'ready', port });
}

/** What Koa itself costs: it reads a body and sends the fact back. */
function koaEcho(): void {
  const app = new Koa();
  const router = new Router();
  router.post('/run/0', koaBody({ jsonLimit: '2mb' }), (ctx) => {
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
  for (const [index, path] of modelPaths.entries()) {
    const decision = engine.createDecision(readFileSync(path));
    app.post<{ Body: { fact: object } }>(`/run/${index}`, async (request, reply) => {
      void reply.code(201);
      return decision.evaluate(request.body.fact, { trace });
    });
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
  ready((app.server.address() as AddressInfo).port);
}

if (peer === 'koa') koaEcho();
else await fastifyZen(peer === 'fastify-traced');
