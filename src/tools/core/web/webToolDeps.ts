import type { WebConfig } from '../../../config/sections/webSection.ts';
import type { Network } from '../../../host/network.ts';
import type { Clock } from '../../../host/ports.ts';
import type { SessionTaint } from '../../../net/createSessionTaint.ts';
import type { ProxySettings } from '../../../net/proxySettings.ts';
import type { WorkspaceLayout } from '../../paths/workspaceLayout.ts';

/** The config's `tools.web`. */
export type WebOptions = WebConfig;

/** Where a key is kept, as the config names it. */
type KeyReference = { readonly secret: string } | { readonly env: string };

/** A provider of a plugin that the config names (OpenClaw documentation, Plugin SDK capability registration). */
export interface WebProvider {
  readonly label: string;
  readonly pluginId: string;
  /**
   * Has it answer `args`; `config` is what it sees as its part of the config. `read` makes sense of the answer, which is anything, and
   * throws where it can't: that is the plugin's fault. @throws PincerError `cancelled`, `plugin_provider_failed`
   */
  ask<T>(request: WebProviderRequest<T>): Promise<T>;
}

interface WebProviderRequest<T> {
  readonly args: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly read: (answer: unknown) => T;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** What the web tools need of the world. */
export interface WebToolDeps {
  readonly network: Network;
  readonly clock: Clock;
  /** One for both tools and all sessions. */
  readonly taint: SessionTaint;
  /** Read for each call. */
  readonly options: () => WebOptions;
  /** The key that a reference names; undefined where there is none. */
  readonly secret: (reference: KeyReference) => Promise<string | undefined>;
  /** The provider that a loaded plugin has registered by this id; undefined where none has. */
  readonly provider: (tool: 'search' | 'fetch', id: string) => WebProvider | undefined;
  /** Most characters of one result. */
  readonly maxResultChars: number;
  readonly proxies: ProxySettings;
}

/** Web tools name no paths. */
export function noLayout(): WorkspaceLayout {
  return { roots: [], platform: 'linux' };
}
