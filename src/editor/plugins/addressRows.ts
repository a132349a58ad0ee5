import type { GatewayStatus, ServedRoute } from '../../gateway/gateway.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';

/** The gateway as rows tell of it. */
export interface GatewayView {
  readonly state: 'off' | 'starting' | 'on' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
  /** What addresses begin with, without a slash at the end; only while it is on. */
  readonly base?: string;
  readonly routes: readonly ServedRoute[];
}

/** What a plugin has the gateway serve. */
export interface AddressesRow extends Pick<GatewayView, 'state' | 'reason' | 'base'> {
  readonly kind: 'addresses';
  readonly addresses: readonly AddressRow[];
}

/** One route or handler of a plugin; the argument of its commands. */
export interface AddressRow {
  readonly kind: 'address';
  readonly route: ServedRoute['kind'];
  readonly path: string;
  /** Where it is served; absent while it is not. */
  readonly address?: string;
  /** `refused`: the path is another plugin's, which the plugin's problems tell. */
  readonly stands: 'off' | 'starting' | 'failed' | 'on' | 'refused';
  readonly match: ServedRoute['match'];
  /** Callers need the gateway's token, which no browser sends. */
  readonly needsToken: boolean;
}

/** `base` is undefined for a moment after another window's gateway has started. Pure. */
export function servedNow(
  status: GatewayStatus,
  routes: readonly ServedRoute[],
  base: string | undefined,
): GatewayView {
  switch (status.state) {
    case 'off':
    case 'starting':
      return { state: status.state, routes };
    case 'failed':
      return { state: 'failed', reason: status.error.message, routes };
    case 'running':
    case 'elsewhere':
      return base === undefined ? { state: 'starting', routes } : { state: 'on', base, routes };
  }
}

const kinds = ['http route', 'http handler'] as const;

/** Undefined where the plugin has nothing served. Pure. */
export function planAddresses(plugin: PluginRecord, served: GatewayView): AddressesRow | undefined {
  const { state, reason, base } = served;
  const own = served.routes.filter(({ pluginId }) => pluginId === plugin.id);
  const addresses = kinds.flatMap((route) =>
    (plugin.registrations[route] ?? []).map((path): AddressRow => {
      const found = own.find((each) => each.kind === route && each.path === path);
      const { match = 'exact', auth = 'gateway' } = found ?? {};
      const row = { kind: 'address', route, path, match, needsToken: auth === 'gateway' } as const;
      if (found === undefined) return { ...row, stands: 'refused' };
      if (base === undefined) return { ...row, stands: state };
      return { ...row, stands: 'on', address: `${base}${route === 'http handler' ? '/' : path}` };
    }),
  );
  if (addresses.length === 0) return undefined;
  return {
    ...{ kind: 'addresses', state, addresses },
    ...(reason === undefined ? {} : { reason }),
    ...(base === undefined ? {} : { base }),
  };
}
