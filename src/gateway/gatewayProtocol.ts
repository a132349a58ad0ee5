import type { GatewayRequest } from './gateway.ts';
import type { ClientInfo, RequestFrame, Scope } from './rpc/frames.ts';
import { plainPath } from './plainPath.ts';
import type { TunnelFrame } from './tunnels.ts';

/** What the thread that owns the sockets is told to be. */
export interface ServerSettings {
  /** 0: any that is free. */
  readonly port: number;
  /** Where that port is taken: any other one, rather than none. */
  readonly mayMove: boolean;
  /** Host headers beside those of loopback, in lower case, each with or without a port. */
  readonly allowedHosts: readonly string[];
  /** SHA-256 of the token: the thread never has the token itself. */
  readonly tokenDigest: Uint8Array;
  /** The same of the token for `mcpPath`; undefined where nobody gets in there. */
  readonly mcpTokenDigest: Uint8Array | undefined;
  /** Told by `/healthz`: who has it from one address knows the same server at another. */
  readonly instance: string;
  /** Never told: `/healthz` answers a challenge by it, which proves that no other program listens on the port. */
  readonly proofKey: string;
  readonly limits: ServerLimits;
}

export interface ServerLimits {
  /** How long a client may take for the headers of a request, and for all of it. Milliseconds. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long a plugin's route may take to begin its answer. Milliseconds. */
  readonly firstByteMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
  /** Open sockets. */
  readonly connections: number;
  /** Requests in a second with the token, and without. */
  readonly known: number;
  readonly unknown: number;
  readonly clients: ClientLimits;
}

/** Of clients that talk over WebSocket. Milliseconds, bytes. */
export interface ClientLimits {
  /** Clients at a time. */
  readonly most: number;
  /** How long one may take to say who it is. */
  readonly connectMs: number;
  readonly frameBytes: number;
  /** Frames in a second of one client. */
  readonly frames: number;
  /** How often each is asked whether it is still there; one that left two in a row unanswered is gone. */
  readonly pingMs: number;
  /** One with more than that on its way gets no deltas, and one with more than `maxBytes` is gone. */
  readonly slowBytes: number;
  readonly maxBytes: number;
}

export const usualLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  firstByteMs: 120_000,
  headerBytes: 16_384,
  bodyBytes: 2_000_000,
  connections: 512,
  known: 2_000,
  unknown: 30,
  clients: {
    most: 256,
    connectMs: 10_000,
    frameBytes: 2_000_000,
    frames: 100,
    pingMs: 15_000,
    slowBytes: 1_000_000,
    maxBytes: 16_000_000,
  },
};

/** Where MCP clients ask: with a token that is good for nothing else, and with no other. */
export const mcpPath = '/mcp';

/** A path that anybody may ask for: a plugin's route checks its callers by itself. */
export interface OpenPath {
  readonly path: string;
  readonly match: 'exact' | 'prefix';
}

export type ToThread =
  | { readonly kind: 'listen'; readonly settings: ServerSettings }
  | { readonly kind: 'open paths'; readonly paths: readonly OpenPath[] }
  /** From now on this one counts at `mcpPath`; what came with another is cut off. */
  | { readonly kind: 'mcp token'; readonly digest: Uint8Array | undefined }
  | { readonly kind: 'tunnel'; readonly frame: TunnelFrame }
  | { readonly kind: 'client'; readonly step: ToClient }
  | { readonly kind: 'close' };

/** What is told to clients over WebSocket. */
export type ToClient =
  /** The answer to its first frame: from here on it gets events. */
  | { readonly do: 'welcome'; readonly id: number; readonly text: string }
  | { readonly do: 'answer'; readonly id: number; readonly text: string }
  /** The person has answered a page that asks to be let in. */
  | { readonly do: 'paired'; readonly id: number; readonly isAllowed: boolean }
  /** The browser with this id has lost its access. */
  | { readonly do: 'revoked'; readonly id: number }
  /** An event without its end, to every client with the scope, or to one; `mayDrop`: slow ones do without it. */
  | {
      readonly do: 'event';
      readonly begun: string;
      readonly scope: Scope | undefined;
      readonly mayDrop: boolean;
      readonly only?: number;
    };

export type FromClient =
  /** `helloId`: the id of its first frame. */
  | {
      readonly do: 'joined';
      readonly client: ClientInfo;
      readonly helloId: string;
      /** Of a page: which browser it is of. That has the id of the connection with which it was let in. */
      readonly browser?: number;
      /** A token of its own, for a page that was just let in. */
      readonly deviceToken?: string;
    }
  /** A page asks to be let in. */
  | { readonly do: 'pairing'; readonly id: number; readonly code: string; readonly name: string }
  | { readonly do: 'asked'; readonly id: number; readonly request: RequestFrame }
  | { readonly do: 'left'; readonly id: number };

export type FromThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'tunnel'; readonly frame: TunnelFrame }
  | { readonly kind: 'client'; readonly step: FromClient }
  | { readonly kind: 'answered'; readonly requests: readonly GatewayRequest[] };

/** The gateway's own addresses, by method and path; `mcpPath` wants the token of MCP clients, each other one the gateway's. No plugin's route lies over them. */
const ownAddresses = [
  'POST /tools/invoke',
  'POST /mcp',
  'GET /mcp',
  'DELETE /mcp',
  'POST /v1/chat/completions',
  'POST /v1/responses',
  'POST /page/pair',
  'GET /page/browsers',
  'POST /page/revoke',
  'GET /v1/models',
  'GET /v1/models/{id}',
] as const;
export type OwnAddress = (typeof ownAddresses)[number];

/** Undefined for what plugins and pages answer. Pure. */
export function ownAddressOf(method: string, url: string): OwnAddress | undefined {
  const asked = `${method} ${plainPath(url) ?? ''}`;
  if (method === 'GET' && namedModel(url) !== undefined) return 'GET /v1/models/{id}';
  return ownAddresses.find((each) => each === asked);
}

/** The model that `/v1/models/{id}` names. Clients encode the slashes of its name, which no plain path has. Pure. */
export function namedModel(url: string): string | undefined {
  const encoded = /^\/v1\/models\/(?<id>[^?#]+)/u.exec(url)?.groups?.['id'];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
