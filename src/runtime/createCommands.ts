import { join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool, ExecuteEffect } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Host } from '../host/ports.ts';
import { createJobs, type Jobs } from '../sandbox/createJobs.ts';
import { createLocalExec } from '../sandbox/createLocalExec.ts';
import { createOrphanedProcesses } from '../sandbox/createOrphanedProcesses.ts';
import { createDockerExec, type DockerExec } from '../sandbox/docker/createDockerExec.ts';
import { createRunDocker, dockerEnvironment } from '../sandbox/docker/runDocker.ts';
import type { SandboxOptions } from '../sandbox/docker/sandboxOptions.ts';
import type { ExecOperations } from '../sandbox/execOperations.ts';
import type { ShellKind } from '../shell/commandPlan.ts';
import { commandRules } from '../shell/defaultCommandRules.ts';
import { filterEnvironment } from '../shell/filterEnvironment.ts';
import type { Environment } from '../shell/withGitGuard.ts';
import { createExecTool, judgeExec, noNodes } from '../tools/core/exec.ts';
import { createExecDecider } from '../tools/core/execDecider.ts';
import { createProcessTool } from '../tools/core/process.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { createPluginExecEnv } from './createPluginExecEnv.ts';

interface CommandsParts {
  readonly host: Host;
  readonly stateFolder: string;
  readonly layout: () => WorkspaceLayout;
  readonly config: () => PincerConfig;
  readonly maxResultChars: number;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Asked when a command runs: plugins are loaded later than this. */
  readonly hooks: HookRunner;
}

/** Everything that runs commands: the tools, the jobs, and where they run. */
export interface Commands {
  readonly tools: readonly AgentTool[];
  readonly jobs: Jobs;
  /** What `exec` would ask about. @throws PincerError where it would refuse */
  judge(command: string): Promise<ExecuteEffect>;
  /** Where commands run now, or the end of a sentence that says why they can't. */
  place(): ExecOperations['host'] | { readonly unavailable: string };
  /** Looks whether Docker answers, where the config wants the sandbox. To be called when the config was read. */
  refresh(): Promise<void>;
  /** Ends what an earlier window left running. */
  reap(): Promise<void>;
  close(): Promise<void>;
}

/** How long Docker may take to say that it is there: the window waits for it. */
const probeMs = 5_000;

export function createCommands(parts: CommandsParts): Commands {
  const { host, layout, config, maxResultChars } = parts;
  const { clock, platform, log } = host;
  const env = definedOnly(host.env);
  const warn = (message: string): void => log.write('warn', `[exec] ${message}`);
  const orphans = createOrphanedProcesses({
    ...host,
    path: join(parts.stateFolder, 'running'),
    report: warn,
  });
  const systemRoot = env['SystemRoot'] ?? 'C:\\Windows';
  const local = createLocalExec({ ...host, processes: orphans.processes, systemRoot });
  const jobs = createJobs({ clock });
  const probe = createRunDocker(host.processes, host.userHome, dockerEnvironment(host.env), {
    clock,
    ms: probeMs,
  });
  let docker: DockerExec | undefined;
  /** Why there is no Docker; undefined where it answers or was not asked. */
  let noDocker: string | undefined;

  const wantsSandbox = (): boolean => {
    const { tools, sandbox } = config();
    return tools.exec.host === 'sandbox' || (tools.exec.host === 'auto' && sandbox.enabled);
  };
  const operations = (): ExecOperations | { readonly unavailable: string } => {
    if (config().tools.exec.host === 'node')
      return { unavailable: `tools.exec.host is "node", and ${noNodes}` };
    if (!wantsSandbox()) return local;
    if (noDocker !== undefined)
      return config().tools.exec.host === 'sandbox' ? { unavailable: noDocker } : local;
    return docker ?? { unavailable: 'the sandbox is not ready yet' };
  };
  const shellKind = (): ShellKind => {
    const isContainer = (operations() as Partial<ExecOperations>).host === 'sandbox';
    return isContainer ? 'bash' : (config().tools.exec.shell ?? (platform === 'win32' ? 'pwsh' : 'bash'));
  };
  const decide = createExecDecider({
    rules: () => commandRules(shellKind(), config().tools.exec),
    mode: () => config().tools.exec,
  });
  const filter = (base: Environment, extra: Environment): Environment =>
    filterEnvironment(base, extra, {
      isWindows: platform === 'win32',
      passEnv: config().tools.exec.passEnv,
    });
  const toolDeps = { ...host, layout, jobs, decide, maxResultChars };
  const execDeps = {
    ...toolDeps,
    operations,
    filterEnvironment: filter,
    pluginEnv: createPluginExecEnv({
      hooks: parts.hooks,
      folders: () => layout().roots,
      log,
      check: (added) => void filter({}, added),
    }),
    baseEnv: () => env,
    shellKind,
    maxSeconds: () => config().tools.exec.timeoutSec,
  };

  return {
    jobs,
    tools: [createExecTool(execDeps), createProcessTool(toolDeps)],
    judge: (command) => judgeExec(execDeps, command),
    place() {
      const now = operations();
      return 'host' in now ? now.host : now;
    },
    async refresh() {
      if (!wantsSandbox()) return;
      try {
        await probe(['version', '--format={{.Server.Version}}']);
        noDocker = undefined;
        docker ??= await openDockerExec(
          host,
          () => layout().roots,
          () => config().sandbox,
        );
      } catch (error) {
        noDocker = errorMessage(error);
        const isLocal = 'host' in operations();
        parts.report({
          level: 'warn',
          code: 'sandbox_unavailable',
          message: `The sandbox can't be used: ${noDocker}`,
          hint: isLocal
            ? 'Commands run on this machine, behind the allow list. tools.exec.host: sandbox would refuse them instead.'
            : 'Start Docker, or set tools.exec.host to local in your own config.',
        });
      }
    },
    async reap() {
      const found = await orphans.reap();
      if (found.length > 0) warn(`ended ${found.length} commands that an earlier window had left running`);
      // Nobody waits for Docker.
      void docker?.reap();
    },
    async close() {
      await jobs.close();
      local.dispose();
      await docker?.close();
      await orphans.close();
    },
  };
}

/** A sandbox of this window: one container, made at the first need. */
export async function openDockerExec(
  host: Host,
  folders: () => readonly string[],
  options: () => SandboxOptions,
): Promise<DockerExec> {
  return createDockerExec({
    ...host,
    home: host.userHome,
    folders,
    options,
    owner: {
      pid: host.processes.ownPid,
      startTime: await host.processes.startTimeOf(host.processes.ownPid),
    },
    user: userOf(),
  });
}

function definedOnly(env: Host['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

function userOf(): string | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? undefined : `${uid}:${gid}`;
}
