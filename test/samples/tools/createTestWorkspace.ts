import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Params } from '../../../src/contracts/jsonTypes.ts';
import type { ToolEffect, ToolResult } from '../../../src/contracts/tool.ts';
import { createManualClock } from '../../builders/manualClock.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import type { CoreToolDeps } from '../../../src/tools/core/coreTool.ts';
import { createCoreTools } from '../../../src/tools/coreTools.ts';
import { createDiskFiles } from '../../../src/tools/createDiskFiles.ts';
import type { WorkspaceLayout } from '../../../src/tools/paths/workspaceLayout.ts';
import { testCall, testRun } from '../../builders/callContexts.ts';

/** Real folders under one temporary folder, with the core tools on them. */
export interface TestWorkspace {
  /** The temporary folder itself; the workspace folders lie in it. */
  readonly folder: string;
  /** The first workspace folder. */
  readonly root: string;
  readonly layout: WorkspaceLayout;
  readonly deps: CoreToolDeps;
  /** Paths are below `folder`. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  get(path: string): Promise<string>;
  /** Every file, to see that nothing else was written. */
  files(): Promise<readonly string[]>;
  /** Prepares and runs a tool, as the pipeline does once everything is allowed. */
  call(
    name: string,
    params: Params,
  ): Promise<{ readonly effects: readonly ToolEffect[]; readonly result: ToolResult }>;
  remove(): Promise<void>;
}

export async function createTestWorkspace(
  options: {
    readonly roots?: readonly string[];
    readonly maxResultChars?: number;
  } = {},
): Promise<TestWorkspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-tools-')));
  const roots = (options.roots ?? ['proj']).map((name) => join(folder, name));
  for (const root of roots) await mkdir(root, { recursive: true });
  const layout: WorkspaceLayout = { roots, platform: process.platform };
  const fs = createNodeFileSystem();
  const deps: CoreToolDeps = {
    fs,
    files: createDiskFiles(fs),
    clock: createManualClock(),
    layout: () => layout,
    maxResultChars: options.maxResultChars ?? 16_000,
  };
  const tools = createCoreTools(deps);
  return {
    folder,
    root: roots[0] ?? folder,
    layout,
    deps,
    put: async (path, content) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    get: (path) => readFile(join(folder, path), 'utf8'),
    files: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort();
    },
    call: async (name, params) => {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const prepared = await tool.prepare(testCall(), params);
      return { effects: prepared.effects, result: await prepared.run(testRun()) };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The text of a result. */
export function textOf(result: ToolResult): string {
  return result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
