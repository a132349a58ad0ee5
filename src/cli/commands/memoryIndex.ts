import { PincerError } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import type { Memory, SyncReport } from '../../memory/memory.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { durationText, progressText } from './memoryText.ts';

interface IndexOptions extends CliOptions {
  readonly rebuild?: boolean;
}

/** Where progress is shown: a line that is written over again and again, so only on a terminal. */
interface ProgressLine {
  readonly isTTY: boolean;
  readonly write: (text: string) => void;
}

/** `pincer memory index`: a full scan that reads what changed. Ctrl-C keeps what was read so far. */
export async function runMemoryIndex(options: IndexOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async ({ memory }, problems) => {
    const { stderr } = process;
    const line = { isTTY: stderr.isTTY, write: (text: string) => void stderr.write(text) };
    await withInterrupt((signal) => indexMemory(memory, options, output, line, signal));
    problems.show((await memory.status()).problems);
    return exitCodes.ok;
  });
}

/** @throws PincerError `cancelled` */
export async function indexMemory(
  memory: Memory,
  { rebuild = false, json }: Pick<IndexOptions, 'rebuild' | 'json'>,
  output: Output,
  line: ProgressLine,
  signal: AbortSignal,
): Promise<void> {
  const progress = showProgress(memory, line);
  let report: SyncReport;
  try {
    report = await memory.sync({ rebuild }, signal);
  } catch (error) {
    throw isCancelled(error) && !rebuild ? cancelledHalfway(error) : error;
  } finally {
    progress.dispose();
  }
  output.out(json === true ? toJson(report) : `${reportText(report)}\n`);
}

function isCancelled(error: unknown): error is PincerError {
  return error instanceof PincerError && error.code === 'cancelled';
}

function cancelledHalfway(cause: PincerError): PincerError {
  return new PincerError('cancelled', 'Cancelled.', {
    hint: 'What was read so far is kept; run it again to go on.',
    cause,
  });
}

function reportText({ added, changed, removed, unchanged, leftOut, passages, tookMs }: SyncReport): string {
  const counts = [
    `${added} new`,
    `${changed} changed`,
    `${removed} removed`,
    `${unchanged} unchanged`,
    ...(leftOut === 0 ? [] : [`${leftOut} left out`]),
  ];
  return `Files: ${counts.join(', ')}. The index holds ${plural(passages, 'passage')}. It took ${durationText(tookMs)}.`;
}

const clearLine = '\r\u001B[2K';

function showProgress(memory: Memory, { isTTY, write }: ProgressLine): { dispose(): void } {
  if (!isTTY) return { dispose: () => undefined };
  const listener = memory.onDidChange(() => {
    const progress = memory.progress();
    if (progress !== undefined) write(`${clearLine}${progressText(progress)}`);
  });
  return {
    dispose() {
      listener.dispose();
      write(clearLine);
    },
  };
}
