import type { WebConfig } from '../../../config/sections/webSection.ts';
import type { Network } from '../../../host/network.ts';
import type { Clock } from '../../../host/ports.ts';
import type { SessionTaint } from '../../../net/createSessionTaint.ts';
import type { ProxySettings } from '../../../net/proxySettings.ts';
import type { WorkspaceLayout } from '../../paths/workspaceLayout.ts';

/** The config's `tools.web`. */
export type WebOptions = WebConfig;

/** Where a key is kept, as the config names it. */
export type KeyReference = { readonly secret: string } | { readonly env: string };

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
  /** Most characters of one result. */
  readonly maxResultChars: number;
  readonly proxies: ProxySettings;
}

/** Web tools name no paths. */
export function noLayout(): WorkspaceLayout {
  return { roots: [], platform: 'linux' };
}
