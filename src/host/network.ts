/** One request whose connection is decided already: the name in the URL is never looked up. */
export interface PinnedRequest {
  /** http or https. Its host goes into the request and is what a certificate must be for. */
  readonly url: string;
  readonly route: NetworkRoute;
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export type NetworkRoute =
  /** Straight to this IP address, at the URL's port. */
  | { readonly kind: 'address'; readonly address: string }
  /** Through the proxy of this URL (http or https), which looks the name up itself. */
  | { readonly kind: 'proxy'; readonly proxy: string };

export interface NetworkResponse {
  readonly status: number;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** The bytes as they were sent, not unpacked. Ending the iteration closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection; what is left of the body is lost. */
  close(): void;
}

/** Connections to hosts that nobody vouches for. Only the guard of `src/net` uses it. */
export interface Network {
  /** All addresses of a host, in the order in which to try them; none where it has none. */
  lookup(host: string): Promise<readonly string[]>;
  /**
   * Follows no redirects. Rejects with `net_connect` when there was no connection, `net_failed` when it broke afterwards, the
   * body's iteration included, and `cancelled` when the signal aborted.
   */
  send(request: PinnedRequest): Promise<NetworkResponse>;
}
