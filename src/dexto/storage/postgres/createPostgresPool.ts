import { createHash } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import { PincerError } from '../../../base/errors.ts';
import type { Clock, Log } from '../../../host/ports.ts';
import { causeText } from '../causeText.ts';
import { storageClosed, storageFailed, storageTimedOut, storageUnavailable } from '../storageErrors.ts';
import { placeOf, withoutPassword } from '../serverAddress.ts';
import { serverLimitMs, withinLimit } from '../withinLimit.ts';
import { postgresRule, readPostgresAddress } from './readPostgresAddress.ts';

export interface PostgresOptions {
  readonly url: string;
  /** At once, of this process. Default: 4. */
  readonly maxConnections?: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds. Default: `serverLimitMs`. */
  readonly limitMs?: number;
}

/** Rows of one statement. */
export type Query = <Row>(statement: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

interface PostgresPool {
  isConnected(): boolean;
  /** What only reads, as it may be done a second time. */
  read<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** All of `work` or nothing of it, while nobody else writes under the same name. */
  write<T>(name: string, work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const usualConnections = 4;

/** Stands where the driver wants one: without it, it would look into the environment and into `.pgpass`. */
const noPassword = 'none';

/**
 * Connections to one server, made with the first use and again after it was away. Nothing is told with an error but the place and
 * the server's message: its details may quote what is stored.
 */
export function createPostgresPool(options: PostgresOptions): PostgresPool {
  const { url, clock, log, limitMs = serverLimitMs, maxConnections: max = usualConnections } = options;
  const address = readPostgresAddress(url);
  const place = placeOf(postgresRule, address);
  let isConnected = false;
  let isClosed = false;
  const pool = new Pool({
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.path,
    password: address.password ?? noPassword,
    ssl: address.tls,
    max,
    application_name: 'pincer',
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    idleTimeoutMillis: 10_000,
    // The command line ends when its work is done, not when the last connection is old enough.
    allowExitOnIdle: true,
  });
  const noteLoss = (error: Error): void => {
    isConnected = false;
    log.write('debug', `${place}: ${withoutPassword(causeText(error), address)}`);
  };
  // Without a listener the loss of a connection that nobody uses would end the process.
  pool.on('error', noteLoss);
  pool.on('connect', (client) => client.on('error', noteLoss));

  const toError = (error: unknown): unknown => {
    if (error instanceof PincerError) return error;
    if (isTimeout(error)) return storageTimedOut(place, limitMs);
    const text = withoutPassword(causeText(error), address);
    if (!isConnectionFault(error)) return storageFailed(place, text);
    isConnected = false;
    return storageUnavailable(place, text);
  };
  const queryOf = (client: PoolClient): Query =>
    async function query<Row>(statement: string, values: readonly unknown[] = []) {
      return (await client.query(statement, [...values])).rows as Row[];
    };
  /** What failed leaves its connection in a state that nobody knows. */
  const on = async <T>(client: PoolClient, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  /**
   * A connection and what its first statement gave. A connection that died while nobody used it may look alive until then: then
   * nothing has happened yet, and the next one is tried.
   */
  const start = async <T>(
    first: (client: PoolClient) => Promise<T>,
  ): Promise<{ readonly client: PoolClient; readonly result: T }> => {
    for (let left = max; ; left -= 1) {
      const client = await pool.connect();
      try {
        return { client, result: await on(client, () => first(client)) };
      } catch (error) {
        if (left === 0 || !isConnectionLost(error)) throw error;
      }
    }
  };
  const readOnce = async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    const { client, result } = await start((each) => work(queryOf(each)));
    client.release();
    return result;
  };
  const writeOnce = async <T>(name: string, work: (query: Query) => Promise<T>): Promise<T> => {
    const { client } = await start((each) => each.query(beginLocked(name, limitMs)));
    return await on(client, async () => {
      const result = await work(queryOf(client));
      await client.query('COMMIT');
      client.release();
      return result;
    });
  };
  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw storageClosed();
    try {
      const result = await withinLimit(work(), { place, limitMs, clock });
      isConnected = true;
      return result;
    } catch (error) {
      throw toError(error);
    }
  };
  return {
    isConnected: () => isConnected,
    read: (work) => use(() => readOnce(work)),
    write: (name, work) => use(() => writeOnce(name, work)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      isConnected = false;
      await pool.end();
    },
  };
}

/**
 * Statements that begin a transaction in which nobody else, over all processes, does what goes by the same name. One message: each
 * costs the way to the server and back. The time limit is the transaction's own, since poolers refuse one for a connection.
 */
function beginLocked(name: string, limitMs: number): string {
  return `BEGIN; SET LOCAL statement_timeout = ${limitMs}; SELECT pg_advisory_xact_lock(${lockNumberOf(name)})`;
}

/** PostgreSQL's locks have numbers. Two names that share one only wait for each other. */
export function lockNumberOf(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}

/** Of SQLSTATE, PostgreSQL's Appendix A: the server ends or begins (57P), has no room (53), lets nobody in (28, 3D), is away (08). */
const connectionStates = /^(?:57P|53|28|3D|08)/u;

/** Codes of Node: the way to the server. */
const systemCodes =
  /^E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_|NOTFOUND|ADDR)|^(?:ERR_TLS|ERR_SSL|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/u;

/** The driver's own errors have no codes. */
const driverTexts =
  /^(?:Connection terminated|Client has encountered|The server does not support SSL|Client was closed|SASL: )/u;

/** Whether nobody could be asked; else the server was asked and refused. */
function isConnectionFault(error: unknown): boolean {
  const code = codeOf(error);
  return connectionStates.test(code) || systemCodes.test(code) || driverTexts.test(causeText(error));
}

/** Whether the time was over; 57014 is the server's own limit. */
function isTimeout(error: unknown): boolean {
  return (
    codeOf(error) === '57014' ||
    /^(?:timeout exceeded|Query read timeout|Connection terminated due to)/u.test(causeText(error))
  );
}

const lostCodes: ReadonlySet<string> = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE']);
const lostTexts = /^(?:Connection terminated(?! due to)|Client has encountered|Client was closed)/u;

/** Whether a connection that was there has gone. */
function isConnectionLost(error: unknown): boolean {
  return lostCodes.has(codeOf(error)) || lostTexts.test(causeText(error));
}

function codeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = first instanceof Error && 'code' in first ? first.code : undefined;
  return typeof code === 'string' ? code : '';
}
