import type { CheckPath } from './createAgentPathCheck.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import { pathText, type Report } from './report.ts';
import type { BlobConfig, CacheConfig, DatabaseConfig, StorageConfig } from './storageConfig.ts';
import type { StorageSection } from './storageSchema.ts';

/** `storage` as it counts. What is wrong is reported. */
export function toStorage(said: StorageSection, checkPath: CheckPath, report: Report): StorageConfig {
  return {
    database: toDatabase(said.database, checkPath, report),
    cache: toCache(said.cache, report),
    blob: toBlob(said.blob, checkPath),
  };
}

/** The passwords in these addresses, plain and as addresses have them. */
export function passwordsOf({ database, cache }: StorageConfig): readonly string[] {
  const urls = [database.type === 'postgres' ? database.url : '', cache.type === 'redis' ? cache.url : ''];
  return urls.flatMap((url) => {
    const password = URL.parse(url)?.password ?? '';
    return password === '' ? [] : [...new Set([password, decoded(password)])];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No valid encoding: it is meant as it stands.
    return text;
  }
}

function toDatabase(said: StorageSection['database'], checkPath: CheckPath, report: Report): DatabaseConfig {
  if (said === undefined || said.type === 'sqlite') {
    const path = said?.path === undefined ? undefined : checkPath(said.path, ['storage', 'database', 'path']);
    return { type: 'sqlite', ...(path === undefined ? {} : { path }) };
  }
  if (said.type === 'in-memory') return { type: 'in-memory' };
  const at = ['storage', 'database'];
  const url = addressOf(
    { url: said.url ?? said.connectionString, protocols: ['postgres', 'postgresql'], port: 5432 },
    { ...said, user: said.user ?? said.username, path: said.database },
    at,
    report,
  );
  const { maxConnections } = said;
  return { type: 'postgres', url, ...(maxConnections === undefined ? {} : { maxConnections }) };
}

function toCache(said: StorageSection['cache'], report: Report): CacheConfig {
  if (said === undefined || said.type === 'in-memory') return { type: 'in-memory' };
  const { database, username } = said;
  const url = addressOf(
    { url: said.url, protocols: ['redis', 'rediss'], port: 6379 },
    { ...said, user: username, path: database === undefined ? undefined : String(database) },
    ['storage', 'cache'],
    report,
  );
  return { type: 'redis', url };
}

function toBlob(said: StorageSection['blob'], checkPath: CheckPath): BlobConfig {
  if (said?.type === 'in-memory') return { type: 'in-memory' };
  const storePath =
    said?.storePath === undefined ? undefined : checkPath(said.storePath, ['storage', 'blob', 'storePath']);
  return {
    type: 'local',
    ...(storePath === undefined ? {} : { storePath }),
    ...(said?.maxBlobSize === undefined ? {} : { maxBlobSize: said.maxBlobSize }),
  };
}

interface AddressParts {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly path?: string | undefined;
}

function addressOf(
  known: { readonly url: string | undefined; readonly protocols: readonly string[]; readonly port: number },
  parts: AddressParts,
  at: KeyPath,
  report: Report,
): string {
  const [protocol = ''] = known.protocols;
  if (known.url !== undefined) {
    const found = URL.parse(known.url)?.protocol.slice(0, -1);
    // The address is not shown: it may hold a password.
    if (found === undefined || !known.protocols.includes(found))
      report.add({
        level: 'error',
        code: 'agent_file_invalid',
        path: [...at, 'url'],
        message: `${pathText([...at, 'url'])}: expected an address that begins with ${protocol}://.`,
        hint: `Write url: ${protocol}://user:password@host:${known.port}/name, best from the environment: url: $STORAGE_URL.`,
      });
    return known.url;
  }
  if (parts.host === undefined) {
    report.add({
      level: 'error',
      code: 'agent_file_invalid',
      path: at,
      message: `${pathText(at)} has neither url nor host.`,
      hint: `Add url: ${protocol}://user:password@host:${known.port}/name, or host: with port:, and what else the address has.`,
    });
    return '';
  }
  const { host, port = known.port, user, password, path } = parts;
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const who = user === undefined && secret === '' ? '' : `${encodeURIComponent(user ?? '')}${secret}@`;
  const server = host.includes(':') ? `[${host}]` : host;
  return `${protocol}://${who}${server}:${port}${path === undefined ? '' : `/${encodeURIComponent(path)}`}`;
}
