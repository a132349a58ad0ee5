import type { Diagnostic } from '../contracts/diagnostic.ts';
import { errorDiagnostic } from './pluginDiagnostics.ts';
import type { HttpRouteRegistration } from './register/registrations.ts';

/** A route of a loaded plugin. */
export interface PluginHttpRoute extends HttpRouteRegistration {
  readonly pluginId: string;
}

interface Source {
  readonly pluginId: string;
  readonly httpRoutes: readonly HttpRouteRegistration[];
}

/**
 * The routes of all plugins in the order in which they are asked: exact ones, longer prefixes, shorter ones, handlers. Of one path the first
 * counts. Threat: a plugin lays a route that anybody may call over one that the gateway guards. So routes that overlap must want the same
 * `auth`; the later one is refused. Pure.
 */
export function resolveHttpRoutes(sources: readonly Source[]): {
  readonly routes: readonly PluginHttpRoute[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const routes: PluginHttpRoute[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { pluginId, httpRoutes } of sources) {
    for (const route of httpRoutes) {
      const problem = problemOf(route, routes);
      if (problem === undefined) routes.push({ ...route, pluginId });
      else diagnostics.push(errorDiagnostic('plugin_registration_refused', problem, { pluginId }));
    }
  }
  return {
    routes: routes.toSorted((a, b) => rank(a) - rank(b) || b.path.length - a.path.length),
    diagnostics,
  };
}

function problemOf(route: HttpRouteRegistration, before: readonly PluginHttpRoute[]): string | undefined {
  if (route.kind === 'http handler') return undefined;
  const routes = before.filter(({ kind }) => kind === 'http route');
  if (routes.some(({ path, match }) => path === route.path && match === route.match))
    return `http route already registered: ${route.path}`;
  const other = routes.find(
    (each) => each.auth !== route.auth && (covers(each, route) || covers(route, each)),
  );
  return other === undefined
    ? undefined
    : `http route ${route.path} overlaps ${other.path} (${other.pluginId}), which wants another auth`;
}

/** True where the first serves the path of the second, too. */
function covers(outer: HttpRouteRegistration, { path }: HttpRouteRegistration): boolean {
  return servesPath(outer, path);
}

/** Whether a route is for a path. Pure. */
export function servesPath(
  { kind, path, match }: Pick<HttpRouteRegistration, 'kind' | 'path' | 'match'>,
  wanted: string,
): boolean {
  if (kind === 'http handler' || wanted === path) return true;
  return match === 'prefix' && wanted.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function rank({ kind, match }: HttpRouteRegistration): number {
  if (kind === 'http handler') return 2;
  return match === 'exact' ? 0 : 1;
}
