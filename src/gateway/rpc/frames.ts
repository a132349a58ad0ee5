import { isRecord, isTooDeep, parseJson } from '../../base/json.ts';
import { gatewayScopes, type GatewayScope } from '../../plugins/coreGatewayMethods.ts';

/** The protocol versions that are spoken here (OpenClaw documentation, Gateway protocol, Versioning). */
export const oldestProtocol = 3;
export const newestProtocol = 4;

export type Scope = GatewayScope;

/** True where the scopes that a client has are enough: `operator.admin` has all of it, and whoever may write may read. Pure. */
export function hasScope(granted: readonly string[], wanted: Scope): boolean {
  return (
    granted.includes(wanted) ||
    granted.includes('operator.admin') ||
    (wanted === 'operator.read' && granted.includes('operator.write'))
  );
}

/** A client that has introduced itself. Its words are its own: they prove nothing. */
export interface ClientInfo {
  /** By which this side tells it from others. */
  readonly id: number;
  readonly connId: string;
  readonly protocol: number;
  /** What it calls itself, and what it is: `cli`, `webchat`. */
  readonly name: string;
  readonly version: string;
  readonly mode: string;
  readonly scopes: readonly Scope[];
}

export interface RequestFrame {
  readonly id: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The first frame of a client. */
export interface ConnectFrame {
  readonly id: string;
  /** The newest version that both speak; undefined where there is none. */
  readonly protocol: number | undefined;
  readonly name: string;
  readonly version: string;
  readonly mode: string;
  readonly scopes: readonly Scope[];
  readonly token: string | undefined;
  /** It is a page that asks to be let in. */
  readonly wantsPairing: boolean;
}

export interface RpcError {
  readonly code: 'INVALID_REQUEST' | 'UNAVAILABLE';
  readonly message: string;
  readonly details?: unknown;
  /** When the same may be asked again. Milliseconds. */
  readonly retryAfterMs?: number;
}

const maxName = 200;

/** A request, or what is wrong with the frame. Whatever a client sends is read here, and nowhere else. Pure. */
export function readRequest(text: string): RequestFrame | { readonly problem: string; readonly id?: string } {
  const frame = parseJson(text);
  if (!isRecord(frame) || isTooDeep(frame)) return { problem: 'a frame must be a JSON object' };
  const { type, id, method, params = {} } = frame;
  if (typeof id !== 'string' || id === '' || id.length > maxName)
    return { problem: 'a frame needs an id, which is a text' };
  if (type !== 'req') return { id, problem: 'clients send frames of the type req' };
  if (typeof method !== 'string' || method === '' || method.length > maxName)
    return { id, problem: 'method must be the name of a method' };
  if (!isRecord(params)) return { id, problem: 'params must be an object' };
  return { id, method, params };
}

/** The first frame, or what is wrong with it. Pure. */
export function readConnect(text: string): ConnectFrame | { readonly problem: string; readonly id?: string } {
  const request = readRequest(text);
  if ('problem' in request) return request;
  const { id, method, params } = request;
  if (method !== 'connect') return { id, problem: 'the first frame must be connect' };
  const { minProtocol, maxProtocol, client, auth, scopes: wanted = [] } = params;
  if (!isVersion(minProtocol) || !isVersion(maxProtocol))
    return { id, problem: 'minProtocol and maxProtocol must be whole numbers' };
  if (!Array.isArray(wanted)) return { id, problem: 'scopes must be a list' };
  const protocol = Math.min(maxProtocol, newestProtocol);
  const about = isRecord(client) ? client : {};
  const token = isRecord(auth) ? auth['token'] : undefined;
  return {
    id,
    protocol: protocol < Math.max(minProtocol, oldestProtocol) ? undefined : protocol,
    name: nameOf(about['id']) ?? 'client',
    version: nameOf(about['version']) ?? '',
    mode: nameOf(about['mode']) ?? 'operator',
    scopes: gatewayScopes.filter((scope) => wanted.includes(scope)),
    token: typeof token === 'string' && token !== '' ? token : undefined,
    wantsPairing: isRecord(auth) && auth['pairing'] === true,
  };
}

/** An answer, as a client reads it. */
export function answerFrame(id: string, answer: { readonly payload: unknown } | RpcError): string {
  return 'code' in answer
    ? JSON.stringify({ type: 'res', id, ok: false, error: answer })
    : JSON.stringify({ type: 'res', id, ok: true, payload: answer.payload });
}

/** An event without its end: each client numbers what it gets by itself (`endEvent`). */
export function beginEvent(event: string, payload: unknown): string {
  return JSON.stringify({ type: 'event', event, payload }).slice(0, -1);
}

export function endEvent(begun: string, seq: number): string {
  return `${begun},"seq":${String(seq)}}`;
}

function isVersion(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, maxName) : undefined;
}
