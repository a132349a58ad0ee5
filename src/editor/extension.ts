import { join } from 'node:path';
import * as vscode from 'vscode';
import { registerAgentFile } from './agentFile/registerAgentFile.ts';
import { registerApprovalCommands } from './approvals/approvalCommands.ts';
import { registerApprovalNotifications } from './approvals/approvalNotifications.ts';
import { createQuestionVisibility } from './approvals/createQuestionVisibility.ts';
import { registerAsk } from './ask/registerAsk.ts';
import { registerCallSteps } from './chat/callSteps.ts';
import { offerResume } from './chat/interruptedNotice.ts';
import { registerChatView } from './chatView/registerChatView.ts';
import { registerParticipant } from './chat/participant.ts';
import { openChatOnce } from './firstContact.ts';
import { registerGeneralCommands } from './generalCommands.ts';
import { createAgentWrites } from './host/agentWrites.ts';
import { registerJobStatus } from './jobs/jobStatus.ts';
import { createLiveCalls } from './jobs/liveCalls.ts';
import { registerShowJob } from './jobs/showJob.ts';
import { createLazyRuntime } from './lazyRuntime.ts';
import { stateFolder } from './stateFolder.ts';
import { registerMemory } from './memory/registerMemory.ts';
import { registerModelProvider } from './models/modelProvider.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { nodeProcessTimes } from '../host/node/nodeProcessTimes.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { registerRemovedTurns } from './chat/removedTurns.ts';
import { createSeenTurns } from './chat/seenTurns.ts';
import { createChatMemory } from './chat/chatMemory.ts';
import { registerModelCommands } from './models/modelCommands.ts';
import { registerHookCommands } from './plugins/hookCommands.ts';
import { registerPluginCommands } from './plugins/pluginCommands.ts';
import { registerPluginFiles } from './plugins/pluginFiles.ts';
import { registerPluginFixes } from './plugins/pluginFixes.ts';
import { registerPluginNotifications } from './plugins/pluginNotifications.ts';
import { registerPluginProblems } from './plugins/pluginProblems.ts';
import { registerPluginsTree } from './plugins/pluginsTree.ts';
import { registerCallDocuments } from './runs/callDocuments.ts';
import { registerLastRun } from './runs/lastRun.ts';
import { registerCheckpoints } from './checkpoints/checkpointCommands.ts';
import { registerChannels } from './channels/registerChannels.ts';
import { registerConfigFile } from './configFile/registerConfigFile.ts';
import { registerGateway } from './gateway/registerGateway.ts';
import { registerMcp } from './mcp/registerMcp.ts';
import { registerConfigForm } from './configForm/configForm.ts';
import { createReviewOf } from './review/createReviewOf.ts';
import { registerEditReview } from './review/editReview.ts';
import { registerPrompt } from './prompt/registerPrompt.ts';
import { createLastUsed } from './sessions/lastUsed.ts';
import { registerSessions } from './sessions/registerSessions.ts';
import { registerSteering } from './steering/registerSteering.ts';
import { showError } from './registerCommand.ts';
import { registerPaletteKeys } from './paletteKeys.ts';
import { registerSchedule } from './schedule/registerSchedule.ts';
import { registerToolsTree } from './tools/toolsTree.ts';
import { registerStatusBar } from './statusBar.ts';
import { registerApprovalsTree } from './trees/approvalsTree.ts';

/** What other extensions and our own benchmarks may read. */
export interface PincerApi {
  /** Milliseconds that `activate` took by its own clock. */
  readonly activationMs: number;
  /** The same without the time in which the machine did other work; equal to it where the host can't tell. */
  readonly activationCpuMs: number;
}

/** What `deactivate` has to do; VS Code gives it no context. */
let stop: (() => Promise<void>) | undefined;

/**
 * Registers every surface and loads nothing. The panel asks a signed-out user to sign in unless a language model is registered before
 * the first message, so activation can't wait for that; and the window's start must not pay for more (docs/architecture.md).
 */
export function activate(context: vscode.ExtensionContext): PincerApi {
  const started = performance.now();
  const cpuBefore = threadCpuMs();
  const log = vscode.window.createOutputChannel('Pincer', { log: true });
  const agentWrites = createAgentWrites();
  const runtime = createLazyRuntime(async () => {
    const { openEditorRuntime } = await import('./onDemand.ts');
    return await openEditorRuntime(context, log, agentWrites, { last, reviewOf, calls, removed });
  }, log);
  const owner = createProcessOwner(nodeProcessTimes(), process.pid);
  const chats = createChatMemory(join(stateFolder(context), 'chats'), owner, (problem) => log.warn(problem));
  stop = () => runtime.stop().finally(() => chats.leave());
  const last = createLastUsed(context.workspaceState, showError);
  const reviewOf = createReviewOf();
  const review = registerEditReview(runtime, reviewOf, log);
  const steps = registerCallSteps();
  const removed = registerRemovedTurns();
  const calls = createLiveCalls();
  const visibility = createQuestionVisibility();
  const chatView = registerChatView(context, { runtime, last, reviewOf, visibility, calls, removed, log });
  const surfaces = { surfaceOf: (id: string) => last.surfaceOf(id), view: chatView };
  context.subscriptions.push(
    log,
    runtime,
    steps,
    removed,
    registerModelProvider(runtime, context.globalState),
    registerParticipant(context, {
      runtime,
      chats,
      last,
      reviewOf,
      steps,
      calls,
      seen: createSeenTurns(),
      removed,
      log,
    }),
    chatView,
    registerStatusBar(runtime, last, context.globalState),
    registerAsk(last, systemClock),
    registerSessions(runtime, last, surfaces),
    registerSteering(runtime, surfaces),
    registerPrompt(runtime, last),
    registerPluginsTree(runtime),
    registerToolsTree(runtime),
    registerApprovalsTree(runtime, reviewOf),
    review,
    registerApprovalNotifications(runtime, reviewOf, review, visibility),
    registerApprovalCommands(runtime, reviewOf, last),
    registerPluginCommands(context, runtime),
    registerHookCommands(runtime),
    registerPluginFixes(runtime),
    registerPluginProblems(runtime),
    registerPluginNotifications(runtime),
    registerPluginFiles(runtime, agentWrites),
    registerAgentFile(context.extensionUri, runtime),
    registerConfigFile(context.extensionUri),
    registerConfigForm(context, runtime),
    registerShowJob(runtime, calls),
    registerJobStatus(runtime, calls),
    registerCheckpoints(runtime),
    registerLastRun(context, runtime),
    registerCallDocuments(runtime),
    registerMemory(runtime, agentWrites, log),
    registerModelCommands(runtime, last),
    registerGateway(context, runtime),
    registerChannels(runtime),
    registerSchedule(runtime, stateFolder(context)),
    registerMcp(context, runtime),
    registerPaletteKeys(runtime, chats, context.workspaceState, log),
    registerGeneralCommands(context, runtime, log, chats),
  );
  void offerResume(chats);
  void openChatOnce(context.globalState, log);
  const activationMs = performance.now() - started;
  const cpuAfter = threadCpuMs();
  const activationCpuMs =
    cpuBefore === undefined || cpuAfter === undefined ? activationMs : cpuAfter - cpuBefore;
  log.info(`Activated in ${activationMs.toFixed(1)} ms`);
  log.info(`Processor time of activation: ${activationCpuMs.toFixed(1)} ms`);
  return { activationMs, activationCpuMs };
}

/** What this thread has used of the processor; undefined where the host's Node is older than 23.9. */
function threadCpuMs(): number | undefined {
  if (!('threadCpuUsage' in process)) return undefined;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** VS Code waits for this: sessions and services of plugins end in order. */
export async function deactivate(): Promise<void> {
  await stop?.();
}
