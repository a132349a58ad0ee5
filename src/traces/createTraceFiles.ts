import { join } from 'node:path';
import { isRecord, parseJson } from '../base/json.ts';
import type { FileSystem } from '../host/ports.ts';
import type { RunTrace } from './runTrace.ts';

/** Traces on disk, one JSON file a run, so that another process can show them. */
interface TraceFiles {
  /** Newest first; a file that can't be read or is none of ours is left out. */
  read(): Promise<readonly RunTrace[]>;
  /** Writes one and removes the oldest that are too many. */
  write(trace: RunTrace): Promise<void>;
}

const maxBytes = 4_000_000;
const ours = /^\d{15}-[\w-]+\.json$/u;

export function createTraceFiles(fs: FileSystem, folder: string, keep: number): TraceFiles {
  /** By time: names begin with it. */
  const newestFirst = async (): Promise<readonly string[]> => {
    if ((await fs.stat(folder)) === undefined) return [];
    const names = (await fs.readDirectory(folder)).map((entry) => entry.name);
    return names
      .filter((name) => ours.test(name))
      .sort()
      .reverse();
  };
  const readOne = async (name: string): Promise<readonly RunTrace[]> => {
    try {
      const value = parseJson(await fs.readText(join(folder, name), maxBytes));
      return isTrace(value) ? [value] : [];
    } catch {
      // Another process has just removed it, or it is not readable: one trace less.
      return [];
    }
  };
  return {
    async read() {
      const names = await newestFirst();
      return (await Promise.all(names.slice(0, keep).map(readOne))).flat();
    },
    async write(trace) {
      const time = String(trace.startedAt).padStart(15, '0');
      // It has commands of the user in it.
      const file = join(folder, `${time}-${trace.runId}.json`);
      await fs.writeFile(file, `${JSON.stringify(trace)}\n`, 'private');
      for (const name of (await newestFirst()).slice(keep)) await fs.remove(join(folder, name));
    },
  };
}

/** As far as showing it needs; another version of this program may have written it. */
function isTrace(value: unknown): value is RunTrace {
  if (!isRecord(value) || value['version'] !== 1) return false;
  const { runId, sessionKey, startedAt, lines } = value;
  return (
    typeof runId === 'string' &&
    typeof sessionKey === 'string' &&
    typeof startedAt === 'number' &&
    Array.isArray(lines) &&
    lines.every(
      (line) => isRecord(line) && typeof line['kind'] === 'string' && typeof line['at'] === 'number',
    )
  );
}
