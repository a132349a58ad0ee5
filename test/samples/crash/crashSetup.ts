import { join } from 'node:path';
import { createCheckpoints } from '../../../src/checkpoints/createCheckpoints.ts';
import type { Checkpoints } from '../../../src/checkpoints/checkpoints.ts';
import { createProcessOwner } from '../../../src/host/processOwner.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { nodeProcessTimes } from '../../../src/host/node/nodeProcessTimes.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import type { FileSystem } from '../../../src/host/ports.ts';
import { createDiskFiles } from '../../../src/tools/createDiskFiles.ts';
import { createPathCheck } from '../../../src/tools/paths/resolveWorkspacePath.ts';
import { createRecordedFiles, encodeChange } from '../../../src/tools/createRecordedFiles.ts';
import type { WorkspaceFiles } from '../../../src/tools/workspaceFiles.ts';

/** Recorded files and their checkpoints as the runtime composes them, on `<root>/workspace` and `<root>/state`. */
export function openCrashWorld(
  root: string,
  fs: FileSystem,
): { readonly checkpoints: Checkpoints; readonly files: WorkspaceFiles } {
  const { platform } = process;
  const layout = { roots: [join(root, 'workspace')], platform };
  const checkpoints = createCheckpoints({
    fs,
    clock: systemClock,
    log: createInMemoryLog(),
    folder: join(root, 'state/checkpoints'),
    checkPath: createPathCheck(() => ({ fs, layout })),
    owner: createProcessOwner(nodeProcessTimes(), process.pid),
    encode: encodeChange,
  });
  return { checkpoints, files: createRecordedFiles(createDiskFiles(fs), checkpoints) };
}

/** The changes of the sample: two files are changed, one is made in a new folder, one is deleted. */
export const before: Readonly<Record<string, string>> = {
  'a.md': 'a before\n',
  'b.md': 'b before\n',
  'gone.md': 'gone before\n',
  'still.md': 'nobody touches this\n',
};
export const after: Readonly<Record<string, string>> = {
  'a.md': 'a after\n',
  'b.md': 'b after\n',
  'new/deep.md': 'new after\n',
  'still.md': 'nobody touches this\n',
};
