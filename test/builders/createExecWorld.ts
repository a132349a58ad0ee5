import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Params } from '../../src/contracts/jsonTypes.ts';
import type { AgentTool, PreparedCall, RunContext, ToolCall, ToolResult } from '../../src/contracts/tool.ts';
import { createManualClock, type ManualClock } from './manualClock.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../../src/host/node/nodeProcesses.ts';
import { createJobs, type Jobs } from '../../src/sandbox/createJobs.ts';
import { createLocalExec } from '../../src/sandbox/createLocalExec.ts';
import type { ExecOperations } from '../../src/sandbox/execOperations.ts';
import type { Job } from '../../src/sandbox/backgroundJob.ts';
import { commandRules } from '../../src/shell/defaultCommandRules.ts';
import { filterEnvironment } from '../../src/shell/filterEnvironment.ts';
import { createExecTool, type ExecToolDeps } from '../../src/tools/core/exec.ts';
import { createExecDecider } from '../../src/tools/core/execDecider.ts';
import { createProcessTool } from '../../src/tools/core/process.ts';
import { testCall, testRun } from './callContexts.ts';

/** The exec and process tools on a real temporary workspace, with real processes and a clock that stands still. */
export interface ExecWorld {
  readonly root: string;
  readonly clock: ManualClock;
  readonly jobs: Jobs;
  readonly exec: AgentTool;
  readonly process: AgentTool;
  /** What the user's own rules say; a test may change them at any time. */
  readonly rules: { allow: readonly string[]; deny: readonly string[] };
  /** Where commands run; a test may change it at any time. */
  operations: ExecOperations | { readonly unavailable: string };
  prepare(tool: 'exec' | 'process', params: Params, call?: ToolCall): Promise<PreparedCall>;
  /** Prepares and runs, as the pipeline does once everything is allowed. */
  call(tool: 'exec' | 'process', params: Params, run?: Partial<RunContext>): Promise<ToolResult>;
  /** The newest job once there are `count`. */
  started(count?: number): Promise<Job>;
  /** Ends everything that runs and removes the folder. */
  close(): Promise<void>;
}

export async function createExecWorld(parts: Partial<ExecToolDeps> = {}): Promise<ExecWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-exec-')));
  const root = join(folder, 'proj');
  await mkdir(root);
  const clock = createManualClock();
  const fs = createNodeFileSystem();
  const jobs = createJobs({ clock });
  const rules = { allow: [] as readonly string[], deny: [] as readonly string[] };
  const decide = createExecDecider({
    rules: () => commandRules('bash', rules),
    mode: () => ({ security: 'allowlist', ask: 'on-miss' }),
  });
  const layout = () => ({ roots: [root], platform: process.platform });
  const { platform } = process;
  const local = createLocalExec({ processes: createNodeProcesses(), fs, clock, platform, systemRoot: '' });
  const world = { operations: local as ExecWorld['operations'] };
  const deps: ExecToolDeps = {
    pluginEnv: () => Promise.resolve({}),
    fs,
    clock,
    platform,
    layout,
    operations: () => world.operations,
    jobs,
    decide,
    filterEnvironment: (base, extra) => filterEnvironment(base, extra, { isWindows: false, passEnv: [] }),
    baseEnv: () => ({ PATH: process.env['PATH'] ?? '', API_TOKEN: 'secret' }),
    shellKind: () => 'bash',
    maxSeconds: () => 1_800,
    maxResultChars: 4_000,
    ...parts,
  };
  const tools = { exec: createExecTool(deps), process: createProcessTool(deps) };
  const prepare: ExecWorld['prepare'] = (tool, params, call = testCall()) =>
    tools[tool].prepare(call, params);
  return Object.assign(world, {
    root,
    clock,
    jobs,
    ...tools,
    rules,
    prepare,
    call: async (tool: 'exec' | 'process', params: Params, run: Partial<RunContext> = {}) =>
      await (await prepare(tool, params)).run({ ...testRun(), ...run }),
    started: async (count = 1) => {
      while (jobs.list().length < count)
        await new Promise<void>((resolve) => {
          const listener = jobs.onDidChange(() => {
            listener.dispose();
            resolve();
          });
        });
      const job = jobs.list().at(-1);
      if (job === undefined) throw new Error('no job');
      return job;
    },
    close: async () => {
      const closed = jobs.close();
      clock.advance(2_000);
      await closed;
      await rm(folder, { recursive: true });
    },
  });
}

/** Resolves once all output of the job contains `wanted`. */
export async function said(job: Job, wanted: string): Promise<void> {
  if (job.output().text.includes(wanted)) return;
  await new Promise<void>((resolve) => {
    const listener = job.onOutput(() => {
      if (!job.output().text.includes(wanted)) return;
      listener.dispose();
      resolve();
    });
  });
}
