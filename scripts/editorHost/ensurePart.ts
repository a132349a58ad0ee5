import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Report } from './runStep.ts';
import { withLock } from './withLock.ts';

/** One folder of the cache. */
export interface Part {
  /** The folder's name in the cache. */
  readonly name: string;
  /** What it was made of. A folder with another stamp is made again. */
  readonly stamp: string;
  /** Fills an empty folder; the folder is moved afterwards, so nothing in it may name its own path. */
  readonly build: (dir: string) => Promise<void>;
}

const stampFile = 'stamp.json';

/**
 * The folder of a part, built when it is missing, half-built or of other versions. It is built beside its place and moved
 * there whole, so that an interrupted build is never mistaken for a finished one.
 */
export async function ensurePart(cache: string, part: Part, report: Report): Promise<string> {
  const place = join(cache, part.name);
  if (await isPartReady(cache, part)) return place;
  const onWait = (): void => report(`Another process is setting up ${part.name}; waiting for it.`);
  await withLock(join(cache, `${part.name}.lock`), { onWait }, async () => {
    if (await isPartReady(cache, part)) return;
    await removeLeftovers(cache, part.name);
    const draft = join(cache, `${part.name}.partial-${randomUUID()}`);
    await mkdir(draft, { recursive: true });
    await part.build(draft);
    await writeFile(join(draft, stampFile), part.stamp);
    await rm(place, { recursive: true, force: true });
    await rename(draft, place);
  });
  return place;
}

/** Whether a part is there, whole and made of what it is to be made of. */
export async function isPartReady(
  cache: string,
  { name, stamp }: Pick<Part, 'name' | 'stamp'>,
): Promise<boolean> {
  const found = await readFile(join(cache, name, stampFile), 'utf8').catch(() => undefined);
  return found === stamp;
}

async function removeLeftovers(cache: string, name: string): Promise<void> {
  const entries = await readdir(cache);
  const partial = entries.filter((entry) => entry.startsWith(`${name}.partial-`));
  await Promise.all(partial.map((entry) => rm(join(cache, entry), { recursive: true, force: true })));
}
