import { join } from 'node:path';
import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import { createGrantStore, type GrantStore } from '../approvals/createGrantStore.ts';
import { createPendingApprovals } from '../approvals/createPendingApprovals.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { errorMessage } from '../base/errors.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { NestedRules } from '../agent/prompt/rules/createNestedRules.ts';
import type { AgentTool, CallIdentity } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Memory } from '../memory/memory.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import type { Session } from '../sessions/session.ts';
import { createRecordedFiles } from '../tools/createRecordedFiles.ts';
import { createMemoryTools, type MemoryTools } from '../tools/core/memory/createMemoryTools.ts';
import type { ImageReader } from '../tools/core/image.ts';
import type { AgentSessions } from '../tools/core/sessions/agentSessions.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { maxResultChars } from '../tools/pipeline/capResult.ts';
import { createCommands, type Commands } from './createCommands.ts';
import { createToolSet } from './createToolSet.ts';
import { describeSession, type ConversationStatus } from './describeSession.ts';
import { holdsOutsideText, holdsReadText } from './readText.ts';
import { openApprovals } from './openApprovals.ts';
import { extraPathsOf } from './openMemory.ts';
import { openCheckpoints } from './openCheckpoints.ts';
import type { RuntimeInput } from './runtime.ts';

export interface ToolSideParts {
  readonly input: RuntimeInput;
  readonly layout: () => WorkspaceLayout;
  readonly config: () => PincerConfig;
  readonly isTrusted: () => boolean;
  /** What a session is and does now. */
  readonly statusOf: (call: CallIdentity) => ConversationStatus;
  readonly imageReader: ImageReader;
  readonly agentSessions: AgentSessions;
  readonly skillTool: AgentTool;
  readonly nestedRules: Pick<NestedRules, 'touch'>;
  /** Reads the config again after it was changed. */
  readonly reloadConfig: () => Promise<void>;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly hooks: () => HookRunner;
  readonly memory: Memory;
  /** Which sessions hold text from outside. */
  readonly taint: SessionTaint;
}

/** Our own tools and what stands behind them: approvals, commands, checkpoints. */
export interface ToolSide {
  readonly core: readonly AgentTool[];
  /** For the plugin in the memory slot to register. */
  readonly memoryTools: MemoryTools;
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
  const core = createToolSet({
    input,
    files,
    layout,
    config,
    commands,
    taint,
    imageReader: parts.imageReader,
    agentSessions: parts.agentSessions,
    skillTool: parts.skillTool,
    nestedRules: parts.nestedRules,
    statusOf: (call) =>
      describeSession({
        sessionKey: call.sessionKey,
        ...parts.statusOf(call),
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
    config: () => config().memory,
    extraPaths: () => extraPathsOf(config().memory, host.userHome),
    ...(input.problems === undefined ? {} : { problems: input.problems }),
  });
  return {
    core,
    memoryTools,
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
