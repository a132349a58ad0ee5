// Threat: two windows want the same package at once, and one empties the folder that the other fills, or already runs from. So one fetches,
// and the other waits for it and looks again.
import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { throwIfAborted } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import { createWriterLock, waitForLock, type WriterLock } from '../host/createWriterLock.ts';
import type { FileSystem } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';
import { environmentFor, type ServerStarterDeps, type StartOptions } from './createServerStarter.ts';
import { doneName, type PackageFetch } from './keptPackage.ts';
import type { NamedServer } from './mcpServers.ts';

export interface PackageFetcherDeps extends Pick<
  ServerStarterDeps,
  'processes' | 'clock' | 'env' | 'secrets'
> {
  readonly fs: FileSystem;
  readonly owner: ProcessOwner;
}

interface FetchOptions extends Pick<StartOptions, 'signal' | 'log'> {
  /** Asked once nobody else fetches it: whether it still has to be. */
  readonly isMissing: () => Promise<boolean>;
}

/** Has a package fetched into its folder, which it empties before. @throws PincerError `mcp_package_not_fetched`, `cancelled`, `process_*`, `io_*` */
export type FetchPackage = (server: NamedServer, fetch: PackageFetch, options: FetchOptions) => Promise<void>;

const limitMs = 300_000;
const limitText = `${String(limitMs / 60_000)} minutes`;
const keptChars = 2_000;
/** How often who waits for another window looks again. */
const pollIntervalMs = 200;

export function createPackageFetcher(deps: PackageFetcherDeps): FetchPackage {
  /** Instances of this window whose release failed. */
  const ended = new Set<string>();
  return async (server, fetch, options) => {
    const instance = randomUUID();
    const folder = `${fetch.folder}.locks`;
    const lock = createWriterLock({ ...deps, folder, instance, hasEnded: (other) => ended.has(other) });
    try {
      await waitForLock(lock, {
        clock: deps.clock,
        signal: options.signal,
        retryMs: pollIntervalMs,
        maxWaitMs: limitMs,
        locked: () => heldElsewhere(fetch.name, folder),
        waits: () => options.log('Another window fetches it.\n'),
      });
      if (await options.isMissing()) await run(deps, lock, server, fetch, options);
    } finally {
      // A full disk refuses the release too: the outcome of the fetch stays what it was, and this window knows that the lock is free.
      await lock.release().catch((error: unknown) => {
        ended.add(instance);
        options.log(`The lock in ${folder} could not be released: ${errorMessage(error)}\n`);
      });
    }
  };
}

async function run(
  deps: PackageFetcherDeps,
  lock: WriterLock,
  { name: server, config }: NamedServer,
  { name, folder, files, program, args }: PackageFetch,
  { signal, log }: FetchOptions,
): Promise<void> {
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
  if (code !== 0) throw notFetched(name, late.signal.aborted ? `it took more than ${limitText}` : said);
  // Who has the lock now may be emptying the folder: nothing may call it complete.
  if (!(await lock.isHeld()))
    throw notFetched(
      name,
      'another window fetches it now',
      'Start the server again once that window has fetched it.',
    );
  await deps.fs.writeFile(posix.join(folder, doneName), '');
}

function heldElsewhere(name: string, locks: string): PincerError {
  return notFetched(
    name,
    `another window has held the lock in ${locks} for more than ${limitText}`,
    'Reload or close the other windows, and end other pincer processes. Then start the server again.',
  );
}

function notFetched(
  name: string,
  why: string,
  hint = 'Check its name and version, and that the registry can be reached.',
): PincerError {
  return new PincerError(
    'mcp_package_not_fetched',
    `The package ${name} was not fetched: ${inertLine(why.trim(), 400)}`,
    { hint },
  );
}
