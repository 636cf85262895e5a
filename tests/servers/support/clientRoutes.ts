import { createHash } from 'node:crypto';
import express, { Router, type RequestHandler } from 'express';
import { buildSchema, graphql, GraphQLError } from 'graphql';
import { createGate } from '../../../src/testing/createGate.js';
import { signer } from './createServerLog.js';

const schema = buildSchema('type Query { me: String! }');

/**
 * A GraphQL server with one query. It answers a request without a good token with 200 and `UNAUTHENTICATED`, so it stands before what
 * refuses such requests by their status.
 */
export const answerGraphql: RequestHandler = async ({ body }, response) => {
  const { isGood } = response.locals as { isGood?: boolean };
  const me = () => {
    if (isGood) return signer(response);
    throw new GraphQLError('Sign in first.', { extensions: { code: 'UNAUTHENTICATED' } });
  };
  response.json(await graphql({ schema, source: String(body.query), rootValue: { me } }));
};

/** Routes for clients without endpoints: an upload, and an answer that takes its time. */
export function clientRoutes() {
  const gate = createGate();
  const routes = Router();
  routes.post('/upload', express.raw({ type: () => true, limit: '5mb' }), ({ body }, response) => {
    const bytes = body as Buffer;
    response.json({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  });
  routes.get('/slow', async (_request, response) => {
    response.type('text').write('the first half, ');
    await gate.pass();
    response.end('the second half');
  });
  /** Holds the second half of the slow answers back. */
  return { routes, holdSlow: gate.hold };
}
