/** What a plugin may register without an effect: it is checked and listed, and a warning says what is lost. */

/** Node's `IncomingMessage` and `ServerResponse`. False leaves the request to the next handler. */
export type PluginHttpHandler = (request: never, response: never) => unknown;

/** Node's `IncomingMessage`, the connection and what came with the request. False leaves it to the next route. */
export type PluginHttpUpgradeHandler = (request: never, socket: never, head: never) => unknown;

export interface PluginHttpRoute {
  readonly path: string;
  /** Who may call it: whoever has the gateway's token (the default), or whoever the handler lets in. */
  readonly auth?: 'gateway' | 'plugin';
  /** `prefix` serves everything below the path, too. Default `exact`. */
  readonly match?: 'exact' | 'prefix';
  /** True lets it take the place of the plugin's own route of the same path. */
  readonly replaceExisting?: boolean;
  readonly handler: PluginHttpHandler;
  /** Takes requests to change the protocol, to WebSocket mostly. */
  readonly handleUpgrade?: PluginHttpUpgradeHandler;
}

/** What a method of the gateway is called with, and answers by. */
export interface GatewayRequestHandlerOptions {
  readonly req: {
    readonly type: 'req';
    readonly id: string;
    readonly method: string;
    readonly params: unknown;
  };
  readonly params: Readonly<Record<string, unknown>>;
  /** What the client says of itself, and what it may do. */
  readonly client: {
    readonly connId: string;
    readonly connect: {
      readonly client: { readonly id: string; readonly version: string; readonly mode: string };
      readonly role: string;
      readonly scopes: readonly string[];
    };
  };
  isWebchatConnect(params: unknown): boolean;
  /** The first call counts. */
  respond(ok: boolean, payload?: unknown, error?: { readonly code?: string; readonly message: string }): void;
  readonly context: {
    /** Tells clients that may write; the event's name begins with `plugin.`. */
    broadcast(event: string, payload: unknown, options?: { readonly dropIfSlow?: boolean }): void;
  };
}

export type GatewayRequestHandler = (request: GatewayRequestHandlerOptions) => unknown;

export interface ChannelPlugin {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface PluginChannelRegistration {
  readonly plugin: ChannelPlugin;
  readonly dock?: object;
}
