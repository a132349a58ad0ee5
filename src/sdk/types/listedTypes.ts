/** What a plugin may register without an effect: it is checked and listed, and a warning says what is lost. */

/** Node's `IncomingMessage` and `ServerResponse`, or something like them. */
export type PluginHttpHandler = (request: never, response: never) => unknown;

export interface PluginHttpRoute {
  readonly path: string;
  /** Who may call it: whoever the gateway lets in, or whoever the handler lets in. */
  readonly auth?: 'gateway' | 'plugin';
  readonly handler: PluginHttpHandler;
}

export type GatewayRequestHandler = (request: never) => unknown;

export interface ChannelPlugin {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface PluginChannelRegistration {
  readonly plugin: ChannelPlugin;
  readonly dock?: object;
}
