import { posix } from 'node:path';
import { throwIfAborted } from '../base/abort.ts';
import { PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { FileSystem } from '../host/ports.ts';
import { environmentFor, type ServerStarterDeps, type StartOptions } from './createServerStarter.ts';
import { doneName, type PackageFetch } from './keptPackage.ts';
import type { NamedServer } from './mcpServers.ts';

export interface PackageFetcherDeps extends Pick<
  ServerStarterDeps,
  'processes' | 'clock' | 'env' | 'secrets'
> {
  readonly fs: Pick<FileSystem, 'remove' | 'writeFile'>;
}

/** Has a package fetched into its folder, which it empties before. @throws PincerError `mcp_package_not_fetched`, `cancelled`, `process_*`, `io_*` */
export type FetchPackage = (
  server: NamedServer,
  fetch: PackageFetch,
  options: Pick<StartOptions, 'signal' | 'log'>,
) => Promise<void>;

const limitMs = 300_000;
const keptChars = 2_000;

export function createPackageFetcher(deps: PackageFetcherDeps): FetchPackage {
  return async ({ name: server, config }, { name, folder, files, program, args }, { signal, log }) => {
    if ('url' in config) return;
    await deps.fs.remove(folder);
    for (const [path, content] of Object.entries(files))
      await deps.fs.writeFile(posix.join(folder, path), content);
    throwIfAborted(signal);
    const running = await deps.processes.start({
      ...{ file: program, args, cwd: folder },
      env: await environmentFor(deps, server, config),
    });
    const kill = (): void => running.kill('SIGKILL');
    const late = new AbortController();
    const cancel = deps.clock.after(limitMs, () => {
      late.abort();
      kill();
    });
    signal.addEventListener('abort', kill);
    if (signal.aborted) kill();
    let said = '';
    const decoder = new TextDecoder();
    running.onOutput((_stream, bytes) => {
      const text = decoder.decode(bytes, { stream: true });
      said = (said + text).slice(-keptChars);
      log(text);
    });
    const { code } = await running.exit;
    cancel();
    signal.removeEventListener('abort', kill);
    throwIfAborted(signal);
    if (code !== 0)
      throw notFetched(
        name,
        late.signal.aborted ? `it took more than ${String(limitMs / 60_000)} minutes` : said,
      );
    await deps.fs.writeFile(posix.join(folder, doneName), '');
  };
}

function notFetched(name: string, why: string): PincerError {
  return new PincerError(
    'mcp_package_not_fetched',
    `The package ${name} was not fetched: ${inertLine(why.trim(), 400)}`,
    { hint: 'Check its name and version, and that the registry can be reached.' },
  );
}
