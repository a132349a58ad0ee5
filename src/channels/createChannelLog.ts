import { PincerError } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { ChannelLogLine } from './channels.ts';

/** What happened to channels, on disk, so that every window and program of the workspace can tell. Never the text of a message. */
interface ChannelLog {
  /** Must not throw; what the disk does not take is lost. */
  readonly write: (line: Omit<ChannelLogLine, 'at'>) => void;
  /** Newest last. */
  readonly read: (channel?: string) => Promise<readonly ChannelLogLine[]>;
  /** Resolves once all of it is written. */
  flush(): Promise<void>;
}

const maxLines = 500;
/** Beyond so many lines it is cut to `maxLines`. */
const mostLines = 1_000;
const maxBytes = 4_000_000;

export function createChannelLog({
  fs,
  clock,
  file,
}: {
  readonly fs: Pick<FileSystem, 'readText' | 'append' | 'writeFile'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Absolute path. */
  readonly file: string;
}): ChannelLog {
  let queue: Promise<void> = Promise.resolve();
  let written = mostLines;
  const readAll = async (): Promise<readonly ChannelLogLine[]> => {
    try {
      const text = await fs.readText(file, maxBytes);
      return text.split('\n').flatMap((line) => readLine(parseJson(line)) ?? []);
    } catch (error) {
      if (error instanceof PincerError && (error.code === 'io_not_found' || error.code === 'io_too_large'))
        return [];
      throw error;
    }
  };
  const append = async (line: ChannelLogLine): Promise<void> => {
    await fs.append(file, `${JSON.stringify(line)}\n`, 'private');
    written += 1;
    if (written <= mostLines) return;
    const kept = (await readAll()).slice(-maxLines);
    written = kept.length;
    await fs.writeFile(file, kept.map((each) => `${JSON.stringify(each)}\n`).join(''), 'private');
  };
  return {
    write(line) {
      const full = { ...line, text: inertLine(line.text, 400), at: clock.now() };
      // A full disk must not keep a message from its answer.
      queue = queue.then(() => append(full)).catch(() => undefined);
    },
    async read(channel) {
      await queue;
      const lines = await readAll();
      return lines.filter((line) => channel === undefined || line.channel === channel).slice(-maxLines);
    },
    flush: () => queue,
  };
}

function readLine(value: unknown): ChannelLogLine | undefined {
  if (!isRecord(value)) return undefined;
  const { at, channel, accountId, level, text } = value;
  const isLevel = level === 'info' || level === 'warn' || level === 'error';
  if (typeof at !== 'number' || typeof channel !== 'string' || typeof accountId !== 'string')
    return undefined;
  return isLevel && typeof text === 'string' ? { at, channel, accountId, level, text } : undefined;
}
