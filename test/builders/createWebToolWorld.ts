import { createManualClock, type ManualClock } from './manualClock.ts';
import type { Network } from '../../src/host/network.ts';
import { createSessionTaint, type SessionTaint } from '../../src/net/createSessionTaint.ts';
import { readProxySettings } from '../../src/net/proxySettings.ts';
import type { WebOptions, WebToolDeps } from '../../src/tools/core/web/webToolDeps.ts';

export interface WebToolWorld {
  readonly deps: WebToolDeps;
  readonly clock: ManualClock;
  readonly taint: SessionTaint;
  /** What the config says; may be changed between calls. */
  readonly options: { fetch: WebOptions['fetch']; search: WebOptions['search'] };
}

/** What the web tools need, as a fresh config has it. */
export function createWebToolWorld(network: Network, parts: Partial<WebToolDeps> = {}): WebToolWorld {
  const clock = createManualClock();
  const taint = createSessionTaint();
  const options: WebToolWorld['options'] = {
    fetch: {
      enabled: true,
      allowHosts: [],
      denyHosts: [],
      maxChars: 50_000,
      maxBytes: 2_000_000,
      timeoutMs: 30_000,
      allowProxy: false,
      provider: undefined,
    },
    search: undefined,
  };
  const deps: WebToolDeps = {
    network,
    clock,
    taint,
    options: () => options,
    secret: () => Promise.resolve(undefined),
    maxResultChars: 16_000,
    provider: () => undefined,
    proxies: readProxySettings({}),
    ...parts,
  };
  return { deps, clock, taint, options };
}
