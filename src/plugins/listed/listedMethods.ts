import { isRecord } from '../../base/json.ts';
import type { PluginManifest, RegistrationKind } from '../pluginTypes.ts';

/** A method of upstream's API whose registrations are checked, kept and listed, while nothing here uses them yet. */
export interface ListedMethod {
  readonly kind: RegistrationKind;
  /** Why it has no effect, for the diagnostic. */
  readonly notYet: string;
  /** The name it is listed by, or what is missing (upstream's texts). */
  readonly read: (args: readonly unknown[], manifest: PluginManifest) => ReadRegistration;
  /** What a second one of the same name is told; `plugin` has the name. Absent: names may repeat. */
  readonly taken?: (name: string, plugin: string) => string;
}

export type ReadRegistration = { readonly name: string } | { readonly problem: string };

const noServer = 'no plugin HTTP server runs yet';
const notUsed = 'nothing here uses it yet';

/** The one table of them. A `register…` method that stands neither here nor in the API is listed as `other`. */
export const listedMethods: Readonly<Record<string, ListedMethod>> = {
  registerHttpHandler: {
    kind: 'http handler',
    notYet: noServer,
    read: ([handler]) =>
      named(typeof handler === 'function' ? '*' : undefined, 'http handler must be a function'),
  },
  registerHttpRoute: {
    kind: 'http route',
    notYet: noServer,
    read: ([route]) => readRoute(route),
    taken: (path) => `http route already registered: ${path}`,
  },
  registerChannel: {
    kind: 'channel',
    notYet: 'no message channels exist yet',
    read: ([channel]) =>
      named(
        textAt(isRecord(channel) ? (channel['plugin'] ?? channel) : channel, 'id'),
        'channel registration missing id',
      ),
    taken: (id, plugin) => `channel already registered: ${id} (${plugin})`,
  },
  registerGatewayMethod: {
    kind: 'gateway method',
    notYet: 'no gateway runs yet',
    read: ([method, handler]) =>
      typeof handler === 'function'
        ? named(text(method), 'gateway method missing name')
        : { problem: 'gateway method handler must be a function' },
    taken: (method) => `gateway method already registered: ${method}`,
  },
  registerMemoryCapability: {
    kind: 'other',
    notYet: 'a memory plugin acts through its tools and its prompt hooks here',
    read: (_args, { kind }) => {
      if (!kind.includes('memory')) throw new Error('only memory plugins can register a memory capability');
      return { name: 'memory capability' };
    },
  },
  registerMemoryEmbeddingProvider: {
    kind: 'other',
    notYet: "embeddings come from what the user's config names (memory.provider)",
    read: ([provider]) => named(textAt(provider, 'id'), 'memory embedding provider registration missing id'),
    taken: (id, plugin) => `memory embedding provider already registered: ${id} (${plugin})`,
  },
  registerContextEngine: {
    kind: 'other',
    notYet: notUsed,
    read: ([id]) => named(text(id), 'context engine registration missing id'),
    taken: (id, plugin) => `context engine already registered: ${id} (${plugin})`,
  },
};

/** How a method that the table does not know is listed: by its own name and, where it has one, the id of its argument. */
export function unlistedMethod(method: string): ListedMethod {
  const what = method
    .replace(/^register/u, '')
    .replace(/(?!^)([A-Z])/gu, ' $1')
    .toLowerCase();
  return {
    kind: 'other',
    notYet: notUsed,
    read: ([first]) => {
      const id = text(first) ?? textAt(first, 'id') ?? textAt(first, 'name');
      return { name: id === undefined ? what : `${what} ${id}` };
    },
  };
}

/** Older plugins give no `auth`; newer ones say who checks the caller. */
function readRoute(route: unknown): ReadRegistration {
  const raw = textAt(route, 'path');
  if (!isRecord(route) || raw === undefined) return { problem: 'http route registration missing path' };
  const path = `/${raw}`.replace(/\/{2,}/gu, '/').replace(/(?<=.)\/$/u, '');
  const { auth, handler } = route;
  if (auth !== undefined && auth !== 'gateway' && auth !== 'plugin')
    return { problem: `http route registration missing or invalid auth: ${path}` };
  return typeof handler === 'function'
    ? { name: path }
    : { problem: `http route ${path} has no handler function` };
}

function named(name: string | undefined, problem: string): ReadRegistration {
  return name === undefined ? { problem } : { name };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function textAt(value: unknown, field: string): string | undefined {
  return isRecord(value) ? text(value[field]) : undefined;
}
