import { join } from 'node:path';
import { describeContext, describeSum } from '../agent/context/describeUse.ts';
import {
  type NestedRules,
  toolsWithNestedRules,
  withNestedRules,
} from '../agent/prompt/rules/nestedRules.ts';
import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import { type ApprovalMode, decideMode } from '../approvals/decideMode.ts';
import { createApprovalBroker } from '../approvals/createApprovalBroker.ts';
import { createGrantStore, type GrantStore } from '../approvals/createGrantStore.ts';
import { createPendingApprovals, type PendingApprovals } from '../approvals/createPendingApprovals.ts';
import { errorMessage } from '../base/errors.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import { createCheckpoints } from '../checkpoints/createCheckpoints.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { ApprovalsConfig } from '../config/sections/approvalsSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ModelInfo } from '../contracts/model.ts';
import type { AgentTool, Turn } from '../contracts/tool.ts';
import type { SessionUse } from '../contracts/usage.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Host } from '../host/ports.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import type { Memory } from '../memory/memory.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import { readProxySettings } from '../net/proxySettings.ts';
import type { Session } from '../sessions/session.ts';
import type { HiddenTool } from '../tools/catalog.ts';
import { createDiagnosticsTool } from '../tools/core/diagnostics.ts';
import { type ImageReader, createImageTool } from '../tools/core/image.ts';
import { createMemoryTools, type MemoryTools } from '../tools/core/memory/createMemoryTools.ts';
import type { MemorySupplements, PluginMemory } from '../tools/core/memory/memoryToolDeps.ts';
import { createSessionStatusTool, type SessionStatus } from '../tools/core/sessionStatus.ts';
import type { AgentSessions } from '../tools/core/sessions/agentSessions.ts';
import { createSessionTools } from '../tools/core/sessions/sessionTools.ts';
import { createWebSearch, type WebSearch } from '../tools/core/web/createWebSearch.ts';
import type { WebToolDeps } from '../tools/core/web/webToolDeps.ts';
import { createWebFetchTool } from '../tools/core/webFetch.ts';
import { createWebSearchTool } from '../tools/core/webSearch.ts';
import { createCoreTools } from '../tools/coreTools.ts';
import { createPathCheck } from '../tools/paths/resolveWorkspacePath.ts';
import { createRecordedFiles, encodeChange } from '../tools/createRecordedFiles.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { maxResultChars } from '../tools/pipeline/toolResult.ts';
import { createTakeBackUnsaved } from '../tools/takeBackUnsaved.ts';
import type { WorkspaceFiles } from '../tools/workspaceFiles.ts';
import { createCommands, type Commands } from './createCommands.ts';
import { extraPathsOf } from './openMemory.ts';
import { holdsOutsideText, holdsReadText } from './readText.ts';
import type { RuntimeInput } from './runtime.ts';

interface ToolSideParts {
  readonly input: RuntimeInput;
  readonly layout: () => WorkspaceLayout;
  readonly config: () => PincerConfig;
  readonly isTrusted: () => boolean;
  /** What a session is and does now. */
  readonly statusOf: (turn: Turn) => ConversationStatus;
  readonly imageReader: ImageReader;
  readonly agentSessions: AgentSessions;
  readonly skillTool: AgentTool;
  /** Tools of other parts of the runtime, behind our own. */
  readonly addedTools: readonly AgentTool[];
  readonly nestedRules: Pick<NestedRules, 'touch'>;
  /** Reads the config again after it was changed. */
  readonly reloadConfig: () => Promise<void>;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly hooks: HookRunner;
  readonly memory: Memory;
  /** The memory of the plugin in the memory slot, where it brings one. */
  readonly pluginMemory: () => PluginMemory | undefined;
  readonly memorySupplements: () => MemorySupplements | undefined;
  /** Which sessions hold text from outside. */
  readonly taint: SessionTaint;
  /** Whether a person can answer from elsewhere, where none can here. */
  readonly hasApprovers: () => boolean;
  /** Whether a person may come who can answer, where none is there now. */
  readonly canWait: () => boolean;
  /** Web providers of plugins. */
  readonly webProvider: WebToolDeps['provider'];
}

/** Our own tools and what stands behind them: approvals, commands, checkpoints. */
export interface ToolSide {
  readonly core: readonly AgentTool[];
  /** For the plugin in the memory slot to register. */
  readonly memoryTools: MemoryTools;
  /** For plugins, too. */
  readonly webSearch: WebSearch;
  readonly grants: GrantStore;
  readonly approvals: ApprovalBroker;
  readonly commands: Commands;
  readonly checkpoints: Checkpoints;
  /** To be called before a turn of the session. */
  begin(session: Session): void;
  /** To be called when the session begins anew. */
  end(session: Session): void;
  /** Puts right what a crash has left. */
  recover(): Promise<void>;
  /** Ends commands; resolves when nothing is written any more. */
  close(): Promise<void>;
}

export function createToolSide(parts: ToolSideParts): ToolSide {
  const { input, layout, config, isTrusted, report, taint } = parts;
  const { host } = input;
  const grants = createGrantStore({ ...host, path: join(input.home, 'grants.json'), report });
  const pending = createPendingApprovals({
    ...host,
    folder: join(input.stateFolder, 'approvals'),
    pid: host.processes.ownPid,
    owner: createProcessOwner((pid) => host.processes.startTimeOf(pid), host.processes.ownPid),
    report,
  });
  const approvals = openApprovals({ ...parts, grants, pending, config: () => config().approvals });
  const commands = createCommands({ ...input, layout, config, maxResultChars, report, hooks: parts.hooks });
  const checkpoints = openCheckpoints({ ...input, layout, config });
  const files = createRecordedFiles(input.files, checkpoints);
  const web: WebToolDeps = {
    ...host,
    maxResultChars,
    taint,
    provider: parts.webProvider,
    options: () => config().tools.web,
    secret: async (place) => ('env' in place ? host.env[place.env] : await host.secrets.get(place.secret)),
    proxies: readProxySettings(host.env),
  };
  const webSearch = createWebSearch(web);
  const own = createToolSet({
    input,
    files,
    layout,
    commands,
    web,
    webSearch,
    imageReader: parts.imageReader,
    agentSessions: parts.agentSessions,
    skillTool: parts.skillTool,
    nestedRules: parts.nestedRules,
    statusOf: (turn) =>
      describeSession({
        sessionKey: turn.sessionKey,
        ...parts.statusOf(turn),
        now: host.clock.now(),
        layout: layout(),
        isTrusted: isTrusted(),
        approvals: approvals.limits().mode,
        commands,
      }),
  });
  const memoryTools = createMemoryTools({
    ...host,
    files,
    layout,
    maxResultChars,
    memory: parts.memory,
    pluginMemory: parts.pluginMemory,
    supplements: parts.memorySupplements,
    config: () => config().memory,
    extraPaths: () => extraPathsOf(config().memory, host.userHome),
    ...(input.problems === undefined ? {} : { problems: input.problems }),
  });
  return {
    core: [...own, ...parts.addedTools],
    memoryTools,
    webSearch,
    grants,
    approvals,
    commands,
    checkpoints,
    begin(session) {
      const entries = session.entries();
      if (holdsOutsideText(entries)) taint.enter(session.id);
      if (holdsReadText(entries)) taint.read(session.id);
    },
    end: (session) => taint.forget(session.id),
    async recover() {
      // The files come first, then what was running.
      try {
        for (const problem of await checkpoints.recover()) report(problem);
      } catch (error) {
        report(notRecovered(error));
      }
      await commands.reap();
    },
    async close() {
      await Promise.all([commands.close(), checkpoints.settled(), pending.close()]);
    },
  };
}

function notRecovered(error: unknown): Diagnostic {
  return {
    level: 'error',
    code: 'change_not_recovered',
    message: `Whether a change was cut off at the last end could not be looked up: ${errorMessage(error)}`,
    hint: 'It is tried again at the next start.',
  };
}

interface ToolSetParts {
  readonly input: RuntimeInput;
  readonly files: WorkspaceFiles;
  readonly layout: () => WorkspaceLayout;
  readonly commands: Commands;
  readonly web: WebToolDeps;
  readonly webSearch: WebSearch;
  readonly statusOf: (turn: Turn) => SessionStatus;
  readonly imageReader: ImageReader;
  readonly agentSessions: AgentSessions;
  readonly skillTool: AgentTool;
  /** Rules of deeper folders, which come with the results of file tools. */
  readonly nestedRules: Pick<NestedRules, 'touch'>;
}

/** Every tool of our own, in the order in which models see them. */
function createToolSet(parts: ToolSetParts): readonly AgentTool[] {
  const { input, files, layout, commands, web } = parts;
  const { host, problems, ripgrep } = input;
  const deps = {
    ...host,
    files,
    layout,
    maxResultChars,
    ...(problems === undefined ? {} : { problems }),
    ...(ripgrep === undefined ? {} : { ripgrep }),
  };
  return [
    ...createCoreTools(deps).map((tool) =>
      toolsWithNestedRules.has(tool.name) ? withNestedRules(tool, parts.nestedRules, maxResultChars) : tool,
    ),
    createDiagnosticsTool(deps, problems),
    ...commands.tools,
    createWebFetchTool(web),
    createWebSearchTool({ ...web, search: parts.webSearch }),
    createImageTool({ ...deps, reader: parts.imageReader }),
    parts.skillTool,
    createSessionStatusTool(deps, parts.statusOf),
    ...createSessionTools({ ...deps, sessions: parts.agentSessions }),
  ];
}

/** What is known of a session and of the turn that runs in it. */
export interface ConversationStatus {
  readonly agentId: string;
  /** The model that answers; undefined where no turn runs. */
  readonly model: ModelInfo | undefined;
  readonly hidden: readonly HiddenTool[];
  readonly use: SessionUse | undefined;
}

/** What the tool `session_status` may tell the model of its session. */
function describeSession(
  facts: ConversationStatus & {
    readonly sessionKey: string;
    readonly now: number;
    readonly layout: WorkspaceLayout;
    readonly isTrusted: boolean;
    readonly approvals: ApprovalMode;
    readonly commands: Commands;
  },
): SessionStatus {
  const { sessionKey, agentId, model, use, layout, isTrusted, approvals, commands } = facts;
  const place = commands.place();
  return {
    sessionKey,
    agent: agentId,
    model: model === undefined ? 'unknown' : `${model.provider}/${model.model}`,
    ...(use === undefined ? {} : { context: describeContext(use.context), used: describeSum(use.session) }),
    now: localTime(new Date(facts.now)),
    folders: layout.roots,
    isTrusted,
    approvals,
    execHost: typeof place === 'string' ? place : `nowhere: ${place.unavailable}`,
    runningJobs: commands.jobs.list(sessionKey).filter((job) => job.end() === undefined).length,
    hiddenTools: facts.hidden.map(({ name, reason }) => `${name}: ${reason}`),
  };
}

/** ISO 8601 with the offset of this machine's time zone. */
function localTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const pad = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? '-' : '+'}${pad(offset / 60)}:${pad(offset % 60)}`;
}

/** The broker of a window: its mode comes from config, command line and trust; what waits is kept in `pending`. */
function openApprovals(parts: {
  readonly input: RuntimeInput;
  readonly grants: GrantStore;
  readonly pending: PendingApprovals;
  readonly config: () => ApprovalsConfig;
  readonly isTrusted: () => boolean;
  /** Reads the config again after it was changed. */
  readonly reloadConfig: () => Promise<void>;
  readonly hasApprovers: () => boolean;
  /** Whether a person may come who can answer, where none is there now. */
  readonly canWait: () => boolean;
}): ApprovalBroker {
  const { input, grants, pending, config, isTrusted } = parts;
  const { host, approve, canAsk, attention } = input;
  return createApprovalBroker({
    ...host,
    grants,
    limits: () => {
      const { mode: user, workspaceMode: workspace, timeoutMs, timeoutMayAllow } = config();
      const mode = decideMode({
        user,
        isTrusted: isTrusted(),
        ...(approve === undefined ? {} : { chosen: approve }),
        ...(workspace === undefined ? {} : { workspace }),
      });
      const asks = { canAsk: canAsk || parts.hasApprovers(), canWait: parts.canWait() };
      return { ...mode, ...asks, timeoutMs, timeoutMayAllow };
    },
    saveMode: async (mode) => {
      await editConfigFile(host.fs, userConfigPath(input.home), ['approvals', 'mode'], mode);
      await parts.reloadConfig();
    },
    pending,
    ...(attention === undefined ? {} : { attention }),
  });
}

/** The checkpoints of a workspace, kept beside its transcripts; files are judged by the path rules of the tools. */
function openCheckpoints(parts: {
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
