import type { RegistrationKind } from '../pluginTypes.ts';
import { isRecord } from '../../base/json.ts';

/** A method of upstream's API whose registrations are kept and listed, while nothing here uses them yet. */
export interface UnusedMethod {
  readonly kind: RegistrationKind;
  /** Why it has no effect, for the diagnostic. */
  readonly notYet: string;
  /** The name it is listed by, or what is missing (upstream's texts). */
  read(args: readonly unknown[]): { readonly name: string } | { readonly problem: string };
  readonly bundledOnly?: string;
}

const noServer = 'no plugin HTTP server runs yet';
const noGateway = 'no gateway runs yet';

export const unusedMethods: Readonly<Record<string, UnusedMethod>> = {
  registerHttpHandler: {
    kind: 'http handler',
    notYet: noServer,
    read: ([handler]) =>
      named(typeof handler === 'function' ? '*' : undefined, 'http handler must be a function'),
  },
  registerHttpRoute: {
    kind: 'http route',
    notYet: noServer,
    read: ([route]) => named(textAt(route, 'path'), 'http route registration missing path'),
  },
  registerChannel: {
    kind: 'channel',
    notYet: 'no message channels exist yet',
    read: ([channel]) =>
      named(
        textAt(isRecord(channel) ? (channel['plugin'] ?? channel) : channel, 'id'),
        'channel registration missing id',
      ),
  },
  registerGatewayMethod: {
    kind: 'gateway method',
    notYet: noGateway,
    read: ([method]) => named(typeof method === 'string' ? method : undefined, 'gateway method missing name'),
  },
  registerCli: {
    kind: 'cli',
    notYet: 'the command line does not run plugin commands yet',
    read: ([registrar, options]) =>
      named(
        typeof registrar === 'function' ? commandsOf(options) : undefined,
        'cli registrar must be a function',
      ),
  },
  registerProvider: {
    kind: 'provider',
    notYet: 'models come from the configuration only',
    read: ([provider]) => named(textAt(provider, 'id'), 'provider registration missing id'),
  },
  registerTrustedToolPolicy: {
    kind: 'tool policy',
    notYet: 'trusted policies do not run yet',
    read: ([policy]) => named(textAt(policy, 'id'), 'trusted tool policy missing id'),
    bundledOnly: 'only bundled plugins can register trusted tool policies',
  },
  registerSessionExtension: {
    kind: 'session extension',
    notYet: 'sessions keep no plugin state yet',
    read: ([extension]) => named(textAt(extension, 'namespace'), 'session extension missing namespace'),
  },
};

function named(
  name: string | undefined,
  problem: string,
): { readonly name: string } | { readonly problem: string } {
  return name === undefined ? { problem } : { name };
}

function textAt(value: unknown, field: string): string | undefined {
  const text = isRecord(value) ? value[field] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function commandsOf(options: unknown): string {
  const commands: unknown = isRecord(options) ? options['commands'] : undefined;
  return Array.isArray(commands) && commands.length > 0 ? commands.join(', ') : '(undeclared)';
}
