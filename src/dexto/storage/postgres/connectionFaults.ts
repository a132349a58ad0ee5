import { causeText } from '../causeText.ts';

/** Of SQLSTATE, PostgreSQL's Appendix A: the server ends or begins (57P), has no room (53), lets nobody in (28, 3D), is away (08). */
const connectionStates = /^(?:57P|53|28|3D|08)/u;

/** Codes of Node: the way to the server. */
const systemCodes =
  /^E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_|NOTFOUND|ADDR)|^(?:ERR_TLS|ERR_SSL|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/u;

/** The driver's own errors have no codes. */
const driverTexts =
  /^(?:Connection terminated|Client has encountered|The server does not support SSL|Client was closed|SASL: )/u;

/** Whether nobody could be asked; else the server was asked and refused. */
export function isConnectionFault(error: unknown): boolean {
  const code = codeOf(error);
  return connectionStates.test(code) || systemCodes.test(code) || driverTexts.test(causeText(error));
}

/** Whether the time was over; 57014 is the server's own limit. */
export function isTimeout(error: unknown): boolean {
  return (
    codeOf(error) === '57014' ||
    /^(?:timeout exceeded|Query read timeout|Connection terminated due to)/u.test(causeText(error))
  );
}

const lostCodes: ReadonlySet<string> = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE']);
const lostTexts = /^(?:Connection terminated(?! due to)|Client has encountered|Client was closed)/u;

/** Whether a connection that was there has gone. */
export function isConnectionLost(error: unknown): boolean {
  return lostCodes.has(codeOf(error)) || lostTexts.test(causeText(error));
}

function codeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = first instanceof Error && 'code' in first ? first.code : undefined;
  return typeof code === 'string' ? code : '';
}
