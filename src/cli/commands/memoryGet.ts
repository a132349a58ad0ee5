import { PincerError } from '../../base/errors.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { linesOf, plural } from '../../base/text.ts';
import type { FileSystem } from '../../host/ports.ts';
import { readMemoryFile } from '../../memory/files/readMemoryFile.ts';
import type { Memory, MemoryFile } from '../../memory/memory.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

interface GetOptions extends CliOptions {
  readonly from?: number;
  readonly lines?: number;
}

/**
 * `pincer memory get`: a file that the index is configured to hold, as it is on disk now, or some lines of it.
 * @throws PincerError `memory_file_unknown`, `memory_file_unreadable`
 */
export async function runMemoryGet(options: GetOptions, file: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async ({ memory, host }) => {
    await getFromMemory(memory, host.fs, file, options, output);
    return exitCodes.ok;
  });
}

export async function getFromMemory(
  memory: Memory,
  fs: FileSystem,
  asked: string,
  options: Pick<GetOptions, 'from' | 'lines' | 'json'>,
  output: Output,
): Promise<void> {
  const cited = readCitation(asked);
  const whole = await memory.find(asked);
  const file = whole ?? (cited && (await memory.find(cited.name)));
  if (file === undefined) throw await unknownFile(memory, cited?.name ?? asked);
  if (file.state === 'forgotten') throw forgottenFile(file.label);
  const span = whole === undefined ? cited : undefined;
  const all = linesOf(await readText(memory, fs, file));
  const from = options.from ?? span?.from ?? 1;
  const count = options.lines ?? span?.lines ?? all.length;
  const shown = all.slice(from - 1, from - 1 + count);
  if (options.json === true) {
    const { path, label, source } = file;
    const text = shown.join('');
    output.out(toJson({ path, label, source, from, lines: shown.length, totalLines: all.length, text }));
    return;
  }
  if (shown.length > 0) output.out(endedText(shown.join('')));
  else
    output.err(
      `note: ${file.label} has ${plural(all.length, 'line')}; there is nothing from line ${from} on.\n`,
    );
}

/** `docs/a.md#L3-L9`, as a search cites it. */
function readCitation(
  asked: string,
): { readonly name: string; readonly from: number; readonly lines: number } | undefined {
  const [, name, first, last = first] = /^(.+)#L(\d+)(?:-L?(\d+))?$/u.exec(asked) ?? [];
  if (name === undefined) return undefined;
  const from = Math.max(1, Number(first));
  return { name, from, lines: Math.max(1, Number(last) - from + 1) };
}

async function readText(memory: Memory, fs: FileSystem, file: MemoryFile): Promise<string> {
  if (file.source === 'sessions') {
    const text = await memory.readSession(file.label);
    if (text !== undefined) return text;
    throw new PincerError('memory_file_unknown', `The session ${file.label} is not indexed.`);
  }
  const read = await readMemoryFile(fs, file);
  if (read.kind === 'text') return read.text;
  const why = read.kind === 'gone' ? 'it is not there any more' : read.reason;
  throw new PincerError('memory_file_unreadable', `${file.label} can't be read: ${why}.`);
}

function endedText(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function forgottenFile(label: string): PincerError {
  return new PincerError('memory_file_unknown', `${label} was taken out of the memory.`, {
    hint: 'The Memory view in the editor can take it back.',
  });
}

async function unknownFile(memory: Memory, asked: string): Promise<PincerError> {
  const labels = (await memory.files()).map(({ label }) => label);
  const nearest = nearestFirst(asked, labels).slice(0, 3);
  return new PincerError('memory_file_unknown', `The memory holds no file ${asked}.`, {
    hint:
      nearest.length === 0
        ? 'pincer memory index reads the files of the workspace.'
        : `Did you mean ${nearest.join(', ')}?`,
  });
}
