import type { Disposable } from '../base/disposable.ts';
import type { PincerError } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type { PairedBrowsers, PageServer } from './pages.ts';

/** Where the gateway of this workspace is. */
export type GatewayStatus =
  | { readonly state: 'off' }
  | { readonly state: 'starting' }
  /** `startedAt` in milliseconds since the epoch. `awaitsRestart`: a restart was agreed to, and comes once no turn runs. */
  | {
      readonly state: 'running';
      readonly port: number;
      readonly startedAt: number;
      readonly awaitsRestart?: true;
    }
  /** Another window or program of this workspace serves it; the port is unknown for a moment after its start. */
  | { readonly state: 'elsewhere'; readonly port: number | undefined }
  | { readonly state: 'failed'; readonly error: PincerError };

/** One request that was answered or refused, without query, headers or body: those may hold secrets. */
export interface GatewayRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

/** What of a plugin the gateway serves while it runs. */
export interface ServedRoute {
  readonly pluginId: string;
  readonly kind: 'http route' | 'http handler';
  /** Begins with a slash; of a handler `*`. */
  readonly path: string;
  readonly match: 'exact' | 'prefix';
  /** `gateway`: callers need the token. */
  readonly auth: 'gateway' | 'plugin';
}

/** What MCP clients need at `/mcp`: a token that nothing else of the gateway takes. */
interface McpAccess {
  /** Whether the user's config serves tools there. */
  isServed(): boolean;
  /**
   * The token; the window makes it at the first call.
   * @throws PincerError `gateway_mcp_token_missing`, `gateway_token_weak`, `gateway_tokens_equal`
   */
  token(): Promise<string>;
  /** From now on nobody gets in there, and what is under way ends, until `token` has made a new one. @throws PincerError `gateway_token_given` */
  revoke(): Promise<void>;
}

/** The HTTP server of this workspace, on loopback alone (docs/gateway.md). */
export interface Gateway extends Disposable {
  status(): GatewayStatus;
  /** Fires when the status has changed. */
  readonly onDidChange: Event<void>;
  /** Fires when requests were answered, a few times in a second at most. */
  readonly onDidAnswer: Event<void>;
  /** The user's command: it runs until `stop`, whatever the config says. Never rejects: the status says what is wrong. */
  start(): Promise<GatewayStatus>;
  /** The user's command: it stays off until `start`. */
  stop(): Promise<void>;
  /** The status of the one that has run since `startedAt` says from now on that it awaits its restart. */
  noteRestart(startedAt: number): void;
  /**
   * Ends the one that has run since `startedAt` and starts it anew; where that one no longer runs, nothing happens. What callers wait for
   * a second later is broken off. Never rejects.
   */
  restart(startedAt: number): Promise<void>;
  /** Config, trust or folders have changed. Never rejects. */
  sync(): Promise<void>;
  /** How many clients are connected over WebSocket. */
  clients(): number;
  /** The newest requests, oldest first. */
  requests(): readonly GatewayRequest[];
  /** What loaded plugins have it serve, whether or not it runs; without what was refused. */
  routes(): readonly ServedRoute[];
  /** The token that programs present as `Authorization: Bearer`. @throws PincerError `gateway_token_missing`, `gateway_token_weak` */
  token(): Promise<string>;
  readonly mcp: McpAccess;
  readonly browsers: PairedBrowsers;
  /** Serves people a page from now on, until what is returned is disposed. */
  servePages(server: PageServer): Disposable;
  /** Ends it for good, within seconds. */
  close(): Promise<void>;
}
