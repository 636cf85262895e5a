import { untilAborted } from '../clock.js';
import type { SessionEngine } from './SessionEngine.js';
import type { Outgoing, Ticket } from './types.js';

/** One request of a caller, as the session sees it. */
export interface Sending<T> {
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  readonly method: string;
  /**
   * Builds the request from the caller's arguments, sends it once and resolves with the answer. `carry` puts the credential
   * on it, in the moment of sending. Rejects with an error that has the `response` when the server refuses.
   */
  attempt(carry: (request: Outgoing) => Promise<RequestInit>): Promise<T>;
}

/**
 * Sends one request as the identity that started it, or not at all.
 *
 * The ticket is taken now, before anything is awaited. The promise settles whatever the server does: with the answer, with
 * the server's refusal, or at once with the reason for which the ticket became void, whatever comes later.
 */
export function send<T>(engine: SessionEngine, sending: Sending<T>): Promise<T> {
  const ticket = engine.ticket(sending.signal);
  return untilAborted(ticket.signal, deliver(engine, ticket, sending)).finally(ticket.release);
}

async function deliver<T>(engine: SessionEngine, ticket: Ticket, { method, attempt }: Sending<T>): Promise<T> {
  await engine.ready(ticket, method);
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(request => engine.carry(ticket, request));
    } catch (error) {
      if (!(await engine.mayReplay(ticket, (error as { response?: Response } | null)?.response, tries))) throw error;
    }
  }
}
