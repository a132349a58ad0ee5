import { join } from 'node:path';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import { createCheckpoints } from '../checkpoints/createCheckpoints.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Host } from '../host/ports.ts';
import { encodeChange } from '../tools/createRecordedFiles.ts';
import { createPathCheck } from '../tools/createPathCheck.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { createTakeBackUnsaved } from '../tools/takeBackUnsaved.ts';
import type { WorkspaceFiles } from '../tools/workspaceFiles.ts';

/** The checkpoints of a workspace, kept beside its transcripts; files are judged by the path rules of the tools. */
export function openCheckpoints(parts: {
  readonly host: Host;
  readonly stateFolder: string;
  readonly layout: () => WorkspaceLayout;
  readonly config: () => PincerConfig;
  readonly files: WorkspaceFiles;
}): Checkpoints {
  const { host, stateFolder, layout, config, files } = parts;
  const { fs, processes } = host;
  return createCheckpoints({
    ...host,
    folder: join(stateFolder, 'checkpoints'),
    owner: createProcessOwner((pid) => processes.startTimeOf(pid), processes.ownPid),
    encode: encodeChange,
    takeBackUnsaved: createTakeBackUnsaved(files),
    // Without checkpoints a change is still written down until it is whole, and forgotten with its turn.
    limits: () => (config().checkpoints.enabled ? config().checkpoints : { maxTurns: 0, maxMegabytes: 0 }),
    checkPath: createPathCheck(() => ({ fs, layout: layout() })),
  });
}
