import type { GatewayRequest } from './gateway.ts';
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
  /** Told by `/healthz`: it proves that an address leads to this very server. */
  readonly instance: string;
  readonly limits: ServerLimits;
}

export interface ServerLimits {
  /** How long a client may take for the headers of a request, and for all of it. Milliseconds. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
  /** Open sockets. */
  readonly connections: number;
  /** Requests in a second with the token, and without. */
  readonly known: number;
  readonly unknown: number;
}

export const usualLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  headerBytes: 16_384,
  bodyBytes: 2_000_000,
  connections: 512,
  known: 2_000,
  unknown: 30,
};

/** A path that anybody may ask for: a plugin's route checks its callers by itself. */
export interface OpenPath {
  readonly path: string;
  readonly match: 'exact' | 'prefix';
}

export type ToThread =
  | { readonly kind: 'listen'; readonly settings: ServerSettings }
  | { readonly kind: 'open paths'; readonly paths: readonly OpenPath[] }
  | { readonly kind: 'tunnel'; readonly frame: TunnelFrame }
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'tunnel'; readonly frame: TunnelFrame }
  | { readonly kind: 'answered'; readonly requests: readonly GatewayRequest[] };
