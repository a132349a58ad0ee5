import { isRecord } from '../../base/json.ts';
import type { HttpRouteRegistration } from '../register/registrations.ts';
import { noteGatewayNeeded } from './noteGatewayNeeded.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/** Paths of the gateway itself, with everything below them. */
const reserved = ['/healthz', '/mcp', '/page', '/tools', '/v1', '/ws'];

/**
 * `api.registerHttpRoute`: a path that the gateway serves (OpenClaw documentation, Gateway routes). Older plugins say nothing of `auth`;
 * for them the gateway checks the caller.
 */
export function registerHttpRoute(parts: PluginApiParts, route: unknown): void {
  const read = readRoute(route);
  if ('problem' in read) {
    refuseRegistration(parts, read.problem);
    return;
  }
  const { path, match } = read;
  const { httpRoutes } = parts.registrations;
  const at = httpRoutes.findIndex((each) => each.path === path && each.match === match);
  const replaces = isRecord(route) && route['replaceExisting'] === true;
  if (at >= 0 && !replaces) {
    refuseRegistration(parts, `http route already registered: ${path}`);
    return;
  }
  const { handleUpgrade, ...registered } = read;
  const made = {
    ...registered,
    handle: caller(parts, `the http route ${path}`, read.handler),
    ...(handleUpgrade === undefined
      ? {}
      : { upgrade: caller(parts, `the upgrade at ${path}`, handleUpgrade) }),
  };
  if (at >= 0) httpRoutes.splice(at, 1, made);
  else keep(parts, made);
}

/** `api.registerHttpHandler`: is asked for whatever no route serves (OpenClaw plugin API, OpenClawPluginApi Methods). */
export function registerHttpHandler(parts: PluginApiParts, handler: unknown): void {
  if (typeof handler !== 'function') {
    refuseRegistration(parts, 'http handler must be a function');
    return;
  }
  if (parts.registrations.httpRoutes.some((each) => each.kind === 'http handler' && each.handler === handler))
    return;
  keep(parts, {
    kind: 'http handler',
    path: '*',
    match: 'prefix',
    auth: 'gateway',
    handler: handler as PluginFunction,
    handle: caller(parts, 'the http handler', handler as PluginFunction),
  });
}

function keep(parts: PluginApiParts, route: HttpRouteRegistration): void {
  parts.registrations.httpRoutes.push(route);
  noteGatewayNeeded(parts);
}

type PluginFunction = HttpRouteRegistration['handler'];
type ReadRoute = Omit<HttpRouteRegistration, 'handle' | 'upgrade'> & {
  readonly handleUpgrade: PluginFunction | undefined;
};

function readRoute(route: unknown): ReadRoute | { readonly problem: string } {
  const raw = isRecord(route) && typeof route['path'] === 'string' ? route['path'].trim() : '';
  if (!isRecord(route) || raw === '') return { problem: 'http route registration missing path' };
  const path = `/${raw}`.replace(/\/{2,}/gu, '/').replace(/(?<=.)\/$/u, '');
  const { auth = 'gateway', match = 'exact', handler, handleUpgrade } = route;
  if (auth !== 'gateway' && auth !== 'plugin')
    return { problem: `http route registration missing or invalid auth: ${path}` };
  if (match !== 'exact' && match !== 'prefix')
    return { problem: `http route ${path} has an unknown match: it is exact or prefix` };
  if (typeof handler !== 'function') return { problem: `http route ${path} has no handler function` };
  if (handleUpgrade !== undefined && typeof handleUpgrade !== 'function')
    return { problem: `http route ${path} has a handleUpgrade that is no function` };
  const isReserved = reserved.some((each) => path === each || path.startsWith(`${each}/`));
  if (isReserved) return { problem: `http route ${path} belongs to the gateway itself` };
  return {
    kind: 'http route',
    path,
    match,
    auth,
    handler: handler as PluginFunction,
    handleUpgrade: handleUpgrade as PluginFunction | undefined,
  };
}

/** False where the function leaves the request to the next one. Rejects with whatever it throws. */
function caller(
  { call }: PluginApiParts,
  what: string,
  given: PluginFunction,
): (...args: readonly unknown[]) => Promise<boolean> {
  return async (...args) => {
    const answer: unknown = await call(what, (): unknown => Reflect.apply(given, undefined, args as never[]));
    return answer !== false;
  };
}
