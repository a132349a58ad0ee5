import { createHash } from 'node:crypto';

/**
 * Statements that begin a transaction in which nobody else, over all processes, does what goes by the same name. One message: each
 * costs the way to the server and back. The time limit is the transaction's own, since poolers refuse one for a connection.
 */
export function beginLocked(name: string, limitMs: number): string {
  return `BEGIN; SET LOCAL statement_timeout = ${limitMs}; SELECT pg_advisory_xact_lock(${lockNumberOf(name)})`;
}

/** PostgreSQL's locks have numbers. Two names that share one only wait for each other. */
export function lockNumberOf(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}
