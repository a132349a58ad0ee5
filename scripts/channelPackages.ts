import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchPackage, inspectPackage, notThere } from './loadPackage.ts';
import { projectRoot } from './projectRoot.ts';
import { talking, talkTo, type Talk } from './talkToChannels.ts';

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
        : await loadChannel(join(upstream, 'dist/extensions', inside));
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
  const folder = await fetchPackage(cache, name, version);
  if (folder === undefined) return notThere;
  const outcome = await loadChannel(folder);
  const channel = 'channels' in outcome ? outcome.channels.find((id) => talking.includes(id)) : undefined;
  return channel === undefined ? outcome : { ...outcome, talks: await talkTo(channel, folder) };
}

async function loadChannel(folder: string): Promise<Outcome> {
  const found = await inspectPackage(folder);
  if (!('registers' in found)) return found;
  const { channel = [] } = found.registers;
  return channel.length > 0 ? { channels: channel } : { why: 'it registers no channel' };
}
