import { formatBytes } from '../../base/formatNumbers.ts';
import { plural } from '../../base/text.ts';
import type { Memory, MemoryStatus } from '../../memory/memory.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { durationText, progressText, vectorText } from './memoryText.ts';

/** `pincer memory status`: what is indexed, where, and what is off or wrong. */
export async function runMemoryStatus(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime, problems) => {
    const status = await showMemoryStatus(runtime.memory, options, output);
    problems.show(status.problems);
    return exitCodes.ok;
  });
}

export async function showMemoryStatus(
  memory: Memory,
  { json }: Pick<CliOptions, 'json'>,
  output: Output,
): Promise<MemoryStatus> {
  const status = await memory.status();
  output.out(json === true ? toJson(status) : toTable(rowsOf(status)));
  return status;
}

function rowsOf(status: MemoryStatus): readonly (readonly string[])[] {
  const { files, stale, passages, indexPath, bytes, generation, role, vector, progress } = status;
  if (!status.isEnabled) return [['Memory', 'switched off by the config (memory.enabled)']];
  const waiting = stale === 0 ? '' : `, ${stale} of them changed and not read yet`;
  const size = bytes === 0 ? 'not saved yet' : `${formatBytes(bytes, 'en')}, generation ${generation}`;
  return [
    ['Files', `${plural(files, 'file')}${waiting}`],
    ['Passages', String(passages)],
    ['Index', `${indexPath} (${size})`],
    ['Last scan', lastScanOf(status)],
    ['Updated by', role === 'writing' ? 'this process' : 'another window'],
    ['Semantic search', vectorText(vector)],
    ...(progress === undefined ? [] : [['Now', progressText(progress)]]),
  ];
}

function lastScanOf({ lastSync, lastSyncMs }: MemoryStatus): string {
  if (lastSync === undefined) return 'never finished; pincer memory index does it';
  const took = lastSyncMs === undefined ? '' : `, in ${durationText(lastSyncMs)}`;
  return `${new Date(lastSync).toISOString()}${took}`;
}
