import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { CheckedPath, CheckpointLimits, Checkpoints } from '../../src/checkpoints/checkpoints.ts';
import { createCheckpoints } from '../../src/checkpoints/createCheckpoints.ts';
import type { ToolCall } from '../../src/contracts/tool.ts';
import { createInMemoryLog, type InMemoryLog } from './inMemoryLog.ts';
import { createManualClock, type ManualClock } from './manualClock.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import type { FileSystem } from '../../src/host/ports.ts';
import { createDiskFiles } from '../../src/tools/createDiskFiles.ts';
import { createRecordedFiles, encodeChange } from '../../src/tools/createRecordedFiles.ts';
import { createTakeBackUnsaved } from '../../src/tools/takeBackUnsaved.ts';
import type { WorkspaceFiles } from '../../src/tools/workspaceFiles.ts';
import { toolCallOf } from './callContexts.ts';

/** Checkpoints and recorded files on a real folder; only clock and log are doubles. */
export interface CheckpointWorld extends AsyncDisposable {
  readonly workspace: string;
  /** The folder of the checkpoints. */
  readonly state: string;
  readonly clock: ManualClock;
  readonly log: InMemoryLog;
  /** Owners of windows that count as closed or killed. */
  readonly dead: Set<string>;
  /** Another window on the same folders. */
  window(owner: string, options?: WindowOptions): CheckpointWindow;
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** Undefined where there is no file. */
  get(path: string): Promise<string | undefined>;
  /** Every file of the workspace with its content. */
  all(): Promise<Readonly<Record<string, string>>>;
  /** Names of the contents that are stored. */
  blobs(): Promise<readonly string[]>;
}

export interface WindowOptions {
  readonly limits?: Partial<CheckpointLimits>;
  /** Wraps the disk, to fail or to count. */
  readonly disk?: (fs: FileSystem) => FileSystem;
  /** Relative paths that the path rules refuse. */
  readonly refused?: readonly string[];
  /** What the window's editors hold unsaved, by relative path. */
  readonly unsaved?: Map<string, string>;
}

export interface CheckpointWindow {
  readonly checkpoints: Checkpoints;
  readonly files: WorkspaceFiles;
  /** Changes files in a turn as the tools do: null removes one. Paths are relative. */
  change(turn: string, files: Readonly<Record<string, string | null>>, session?: string): Promise<void>;
}

export async function openCheckpoints(): Promise<CheckpointWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-checkpoints-')));
  const workspace = join(root, 'workspace');
  const state = join(root, 'state/checkpoints');
  await mkdir(workspace);
  const clock = createManualClock(Date.now());
  const log = createInMemoryLog();
  const dead = new Set<string>();
  const get: CheckpointWorld['get'] = (path) =>
    readFile(join(workspace, path), 'utf8').catch(() => undefined);

  return {
    workspace,
    state,
    clock,
    log,
    dead,
    get,
    window(
      owner,
      {
        limits = {},
        disk = (fs: FileSystem): FileSystem => fs,
        refused = [],
        unsaved = new Map<string, string>(),
      } = {},
    ) {
      const fs = disk(createNodeFileSystem());
      const checkPath = (path: string): Promise<CheckedPath> => {
        const label = relative(workspace, path);
        const isRefused = label.startsWith('..') || refused.includes(label);
        return Promise.resolve(
          isRefused
            ? { kind: 'refused', reason: 'it lies outside of the workspace' }
            : { kind: 'allowed', place: { root: workspace, path }, label },
        );
      };
      const isAlive = (id: string): Promise<boolean> => Promise.resolve(!dead.has(id));
      const checkpoints = createCheckpoints({
        ...{ fs, clock, log, folder: state, checkPath, owner: { id: () => Promise.resolve(owner), isAlive } },
        encode: encodeChange,
        takeBackUnsaved: createTakeBackUnsaved(editorFiles(workspace, createDiskFiles(fs), unsaved)),
        limits: () => ({ maxTurns: 100, maxMegabytes: 200, ...limits }),
      });
      const files = createRecordedFiles(createDiskFiles(fs), checkpoints);
      return {
        checkpoints,
        files,
        async change(turn, changes, session = 's1') {
          const list = Object.entries(changes).map(async ([path, after]) => ({
            path: join(workspace, path),
            root: workspace,
            before: (await get(path)) ?? null,
            after,
          }));
          await files.apply(await Promise.all(list), callOf(turn, session));
        },
      };
    },
    async put(path, content) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), content);
    },
    async all() {
      const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const texts = paths.map(
        async (path) => [relative(workspace, path), await readFile(path, 'utf8')] as const,
      );
      return Object.fromEntries(await Promise.all(texts));
    },
    async blobs() {
      const names = await readdir(join(state, 'blobs'), { recursive: true }).catch(() => []);
      return names.filter((name) => name.length > 2).sort();
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** As an editor has them: its unsaved text counts, and changing that saves it. */
function editorFiles(
  workspace: string,
  disk: WorkspaceFiles,
  unsaved: Map<string, string>,
): Pick<WorkspaceFiles, 'readText' | 'apply'> {
  return {
    readText: async (path, root) =>
      unsaved.get(relative(workspace, path)) ?? (await disk.readText(path, root)),
    async apply(changes) {
      for (const { path, before, after } of changes) {
        if (unsaved.get(relative(workspace, path)) !== before || after === null)
          throw new Error(`${path} is not what it was`);
        await writeFile(path, after);
        unsaved.delete(relative(workspace, path));
      }
      return changes.map(({ path, after }) => ({ path, text: after }));
    },
  };
}

export function callOf(turn: string, session = 's1'): ToolCall {
  return toolCallOf({ sessionKey: `agent:main:${session}`, sessionId: session, runId: turn });
}
