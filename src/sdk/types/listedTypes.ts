/** What a plugin may register without an effect: it is checked and listed, and a warning says what is lost. */

/** Node's `IncomingMessage` and `ServerResponse`. False leaves the request to the next handler. */
export type PluginHttpHandler = (request: never, response: never) => unknown;

export interface PluginHttpRoute {
  readonly path: string;
  /** Who may call it: whoever has the gateway's token (the default), or whoever the handler lets in. */
  readonly auth?: 'gateway' | 'plugin';
  /** `prefix` serves everything below the path, too. Default `exact`. */
  readonly match?: 'exact' | 'prefix';
  /** True lets it take the place of the plugin's own route of the same path. */
  readonly replaceExisting?: boolean;
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
