import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../src/base/errors.ts';
import { isRecord } from '../src/base/json.ts';
import { projectRoot } from './projectRoot.ts';
import { talking, talkTo, type Talk } from './talkToChannels.ts';

const run = promisify(execFile);

export const channelsPath = join(projectRoot, 'test/conformance/channels.json');

/** One package of a channel: what came of loading it. */
export type ChannelRow = { readonly version: string } & Outcome;

type Outcome =
  | {
      readonly channels: readonly string[];
      /** What came of a conversation with a local server; absent, there is none for it. */
      readonly talks?: Talk;
    }
  | { readonly why: string };

/** By the package's name; `openclaw/<folder>` lies inside upstream's own package. */
export type ChannelRows = Readonly<Record<string, ChannelRow>>;

/** What was found last. */
export async function readChannelRows(): Promise<ChannelRows> {
  return JSON.parse(await readFile(channelsPath, 'utf8')) as ChannelRows;
}

/** Packages of upstream's catalog that the table does not name; others than upstream's own are not counted. */
export async function missingChannels(upstream: string, rows: ChannelRows): Promise<readonly string[]> {
  const catalog: unknown = JSON.parse(await readFile(join(upstream, 'dist/channel-catalog.json'), 'utf8'));
  const specs = [...JSON.stringify(catalog).matchAll(/"npmSpec":"(@openclaw\/[\w-]+)/gu)].map(
    ([, name = '']) => name,
  );
  return [...new Set(specs)].filter((name) => !Object.hasOwn(rows, name));
}

/** Fetches each package into the cache, loads it as a plugin and says what came of it. */
export async function loadChannels(cache: string, upstream: string, rows: ChannelRows): Promise<ChannelRows> {
  const found: [string, ChannelRow][] = [];
  for (const [name, { version }] of Object.entries(rows)) {
    const inside = /^openclaw\/(?<folder>.+)$/u.exec(name)?.groups?.['folder'];
    const outcome =
      inside === undefined
        ? await loadPackage(cache, name, version)
        : await inspect(join(upstream, 'dist/extensions', inside));
    found.push([name, { version, ...outcome }]);
    const said = 'channels' in outcome ? `loads${talkText(outcome.talks)}` : outcome.why;
    console.log(`${name} ${version}: ${said}`);
  }
  return Object.fromEntries(found);
}

function talkText(talks: Talk | undefined): string {
  if (talks === undefined) return '';
  return talks === 'ok' ? ', holds a conversation' : `, but ${talks.why}`;
}

async function loadPackage(cache: string, name: string, version: string): Promise<Outcome> {
  const folder = join(cache, `${name.replace(/^@openclaw\//u, '')}-${version}`);
  try {
    if (!existsSync(folder)) await fetchPackage(cache, `${name}@${version}`, folder);
  } catch {
    return { why: 'the registry does not give it' };
  }
  const outcome = await inspect(folder);
  const channel = 'channels' in outcome ? outcome.channels.find((id) => talking.includes(id)) : undefined;
  return channel === undefined ? outcome : { ...outcome, talks: await talkTo(channel, folder) };
}

/** The registry's ordinary client; nothing of the package runs. Its dependencies lie inside its own folder, as where a plugin is installed. */
async function fetchPackage(cache: string, spec: string, folder: string): Promise<void> {
  const fresh = `${folder}.part`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const { stdout } = await run('npm', [
    'pack',
    spec,
    '--pack-destination',
    cache,
    '--ignore-scripts',
    '--json',
  ]);
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  const archive = join(cache, packed?.filename ?? '');
  await run('tar', ['xf', archive, '-C', fresh, '--strip-components=1']);
  await rm(archive);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-save'];
  const without = ['--omit=dev', '--omit=peer', '--legacy-peer-deps'];
  await run('npm', ['install', ...quiet, ...without], { cwd: fresh });
  await cp(fresh, folder, { recursive: true, verbatimSymlinks: true });
  await rm(fresh, { recursive: true, force: true });
}

/** In a process of its own: what a channel leaves behind ends with it. */
async function inspect(folder: string): Promise<Outcome> {
  try {
    const script = join(projectRoot, 'scripts/inspectChannel.ts');
    const { stdout } = await run(process.execPath, [script, folder], { timeout: 300_000 });
    const found: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    if (isRecord(found) && Array.isArray(found['channels']))
      return found as { readonly channels: readonly string[] };
    const why = isRecord(found) && typeof found['why'] === 'string' ? found['why'] : 'it says nothing';
    // What lies inside upstream's package is part of its program, not a plugin that stands alone.
    if (why.includes("Cannot find module '../../")) return { why: 'it imports parts of upstream’s program' };
    // Where the cache lies is nobody's business.
    return { why: why.replaceAll(folder, '…').slice(0, 300) };
  } catch (error) {
    return {
      why: `the process that loads it fails: ${errorMessage(error).split('\n')[0]?.replaceAll(folder, '…') ?? ''}`,
    };
  }
}
