import type { Diagnostic, DiagnosticFix } from '../contracts/diagnostic.ts';
import type { SessionGroup } from './sessions/sessionRows.ts';

/** Remedies that the row of a problem offers. */
export type MenuFixKind = Exclude<
  DiagnosticFix['kind'],
  'show-plugin-changes' | 'forget-plugin' | 'reset-consents' | 'open-file'
>;

/** One command for each of them: a menu entry has one title, and the title says what it does. */
export type FixCommandId = `pincer.fix.${MenuFixKind}`;

/** A row of the Sessions view, the argument of a link, or nothing: then the user picks one. */
export type SessionTarget = { readonly sessionId: string } | undefined;
/** A message that waits to be read: its row or the argument of a link; or nothing: then the user picks one. */
export type WaitingTarget = { readonly sessionId: string; readonly messageId: string } | undefined;
/** A row of the Sessions view: what a plugin keeps of a session. Nothing without it. */
export type StateTarget =
  | {
      readonly sessionId: string;
      readonly sessionKey: string;
      readonly pluginId: string;
      readonly namespace: string;
    }
  | undefined;
/** What a key does in the Sessions view. */
export type SessionKey = 'open' | 'rename' | 'delete' | undefined;
/** A row of an MCP server, the address of a document about one, or nothing: then the user picks one. */
export type McpTarget =
  { readonly serverName: string } | { readonly scheme: string; readonly query: string } | undefined;
/** A sender that waits, by the code: a row of the Channels view; or nothing: then the user picks one. */
export type PairingTarget = { readonly code: string } | undefined;
/** A conversation of a channel: a row; or nothing: then the user picks one. */
export type ConversationTarget = { readonly conversationId: string } | undefined;
/** A row of a channel or of one of its accounts; or nothing: then the user picks one. */
export type AccountTarget = { readonly channelId: string; readonly accountId?: string } | undefined;
/** A row of what a plugin has the gateway serve. */
export type AddressTarget = { readonly address?: string } | undefined;
/** A tree row, the argument of a link, or nothing: then the user picks one. */
export type ApprovalTarget = { readonly approvalId: string } | undefined;
/** A row that stands for several questions, the argument of a link, or nothing: then the user picks a group. */
export type GroupTarget = { readonly approvalIds: readonly string[] } | undefined;
/** Whose keyboard shortcut it was: the editor of a whole call, or the Approvals view. */
export type FocusedApproval = 'call' | undefined;
/** A row of the Tools view, or nothing: then the user picks one. */
type ToolTarget = { readonly toolName: string } | undefined;
/**
 * A row of the Memory view by the file's absolute path, with a line (1-based) where one is meant; the row that is selected, where
 * a key of the view was pressed; or nothing: then the user picks one.
 */
export type MemoryTarget = { readonly path: string; readonly line?: number } | 'selected' | undefined;
/** What a key does in the memory's search. */
type MemorySearchKey = 'explain' | 'forget' | 'close';
/** `source` tells two plugins with one id apart. */
export type PluginTarget = { readonly pluginId: string; readonly source?: string } | undefined;
/** An operator hook by the absolute path of its HOOK.md; two may have one name. */
export type HookTarget = { readonly hookFile: string } | undefined;
/** A model of the config, `provider/model`, or nothing: then the user picks one. */
export type ModelTarget = { readonly model: string } | undefined;
/** The command that a link is about, or nothing: then what runs. */
type JobTarget = { readonly jobId: string } | undefined;
/** A row of the Schedule view: a job, or one of its runs; or nothing: then the user picks one. */
export type ScheduledTarget = { readonly jobId: string; readonly runId?: string } | undefined;
/** A run that a row is about, or nothing: then the newest. */
type RunTarget = { readonly runId?: string } | undefined;
/** The call that a step of an answer is about. */
export type CallTarget =
  { readonly sessionId: string; readonly runId: string; readonly toolCallId: string } | undefined;
/** The turn that a link is about, turns of any session that go with it and later ones that stay; or nothing: then the user picks one. */
export type CheckpointTarget =
  | {
      readonly turnId: string;
      readonly also?: readonly string[];
      readonly without?: readonly string[];
      readonly part?: 'files';
    }
  | undefined;
/** A remedy, the problem whose remedy is meant, or nothing: then the user picks one. */
export type FixTarget = { readonly fix: DiagnosticFix } | { readonly diagnostic: Diagnostic } | undefined;

/** Says by its type alone what a command takes. */
interface Takes<Argument> {
  readonly run?: (argument: Argument) => void;
}

const takes = <Argument>(): Takes<Argument> => ({});

/**
 * Every command Pincer contributes and the argument it takes. `package.json` holds titles, icons and menus; a test compares
 * the two. `registerCommand` gives each handler its argument's type.
 */
const commands = {
  'pincer.chat.open': takes<string | undefined>(),
  'pincer.chat.openView': takes<string | undefined>(),
  'pincer.chat.sendAgain': takes<{ readonly message: string } | undefined>(),
  'pincer.chat.readAloud': takes<undefined>(),
  'pincer.session.new': takes<undefined>(),
  'pincer.turn.resume': takes<undefined>(),
  'pincer.status.show': takes<undefined>(),
  'pincer.walkthrough.open': takes<undefined>(),
  'pincer.docs.open': takes<undefined>(),
  'pincer.sessions.resume': takes<(SessionTarget & { readonly keepsFocus?: boolean }) | undefined>(),
  'pincer.sessions.openInView': takes<SessionTarget>(),
  'pincer.sessions.openInPanel': takes<SessionTarget>(),
  'pincer.sessions.rename': takes<SessionTarget>(),
  'pincer.sessions.fork': takes<SessionTarget>(),
  'pincer.sessions.forkTurn': takes<SessionTarget>(),
  'pincer.sessions.show': takes<SessionTarget>(),
  'pincer.sessions.export': takes<SessionTarget>(),
  'pincer.sessions.delete': takes<SessionTarget>(),
  'pincer.sessions.repair': takes<SessionTarget>(),
  'pincer.sessions.compact': takes<SessionTarget>(),
  'pincer.sessions.copyId': takes<SessionTarget>(),
  'pincer.sessions.search': takes<undefined>(),
  'pincer.sessions.showMore': takes<{ readonly group: SessionGroup } | undefined>(),
  'pincer.sessions.showSummary': takes<
    { readonly sessionId: string; readonly entryId: string } | undefined
  >(),
  'pincer.sessions.editState': takes<StateTarget>(),
  'pincer.sessions.clearState': takes<StateTarget>(),
  'pincer.sessions.key': takes<SessionKey>(),
  'pincer.prompt.show': takes<SessionTarget>(),
  'pincer.turn.steer': takes<SessionTarget>(),
  'pincer.turn.queue': takes<SessionTarget>(),
  'pincer.turn.stop': takes<SessionTarget>(),
  'pincer.waiting.show': takes<undefined>(),
  'pincer.waiting.edit': takes<WaitingTarget>(),
  'pincer.waiting.remove': takes<WaitingTarget>(),
  'pincer.waiting.moveUp': takes<WaitingTarget>(),
  'pincer.waiting.toSteer': takes<WaitingTarget>(),
  'pincer.waiting.toFollowUp': takes<WaitingTarget>(),
  'pincer.waiting.send': takes<SessionTarget>(),
  'pincer.waiting.discard': takes<SessionTarget>(),
  'pincer.approvals.allowOnce': takes<ApprovalTarget>(),
  'pincer.approvals.allowAlways': takes<ApprovalTarget>(),
  'pincer.approvals.deny': takes<ApprovalTarget>(),
  'pincer.approvals.allowTurn': takes<ApprovalTarget>(),
  'pincer.approvals.allowSession': takes<ApprovalTarget>(),
  'pincer.approvals.allowAll': takes<GroupTarget>(),
  'pincer.approvals.denyWhy': takes<ApprovalTarget>(),
  'pincer.approvals.allowFromChat': takes<undefined>(),
  'pincer.approvals.askAgain': takes<ApprovalTarget>(),
  'pincer.approvals.showDiff': takes<ApprovalTarget>(),
  'pincer.approvals.showCall': takes<ApprovalTarget>(),
  'pincer.approvals.revokeGrant': takes<{ readonly grantId: string } | undefined>(),
  'pincer.approvals.setMode': takes<undefined>(),
  'pincer.approvals.resume': takes<unknown>(),
  'pincer.approvals.dismiss': takes<{ readonly interruptedId: string } | undefined>(),
  'pincer.approvals.allowFocused': takes<FocusedApproval>(),
  'pincer.approvals.denyFocused': takes<FocusedApproval>(),
  'pincer.approvals.revokeFocused': takes<undefined>(),
  'pincer.review.accept': takes<unknown>(),
  'pincer.review.reject': takes<unknown>(),
  'pincer.review.acceptAll': takes<unknown>(),
  'pincer.review.acceptHunk': takes<unknown>(),
  'pincer.review.rejectHunk': takes<unknown>(),
  'pincer.review.acceptFile': takes<unknown>(),
  'pincer.review.rejectFile': takes<unknown>(),
  'pincer.review.nextHunk': takes<unknown>(),
  'pincer.review.previousHunk': takes<unknown>(),
  'pincer.review.reveal': takes<unknown>(),
  'pincer.plugins.enable': takes<PluginTarget>(),
  'pincer.plugins.allowChanges': takes<PluginTarget>(),
  'pincer.plugins.disable': takes<PluginTarget>(),
  'pincer.plugins.reload': takes<PluginTarget>(),
  'pincer.plugins.reloadAll': takes<undefined>(),
  'pincer.plugins.configure': takes<PluginTarget>(),
  'pincer.plugins.new': takes<undefined>(),
  'pincer.plugins.install': takes<undefined>(),
  'pincer.plugins.develop': takes<PluginTarget>(),
  'pincer.plugins.stopDeveloping': takes<PluginTarget>(),
  'pincer.plugins.reveal': takes<PluginTarget>(),
  'pincer.plugins.openSource': takes<PluginTarget>(),
  'pincer.plugins.openManifest': takes<PluginTarget>(),
  'pincer.plugins.openAgentFile': takes<PluginTarget>(),
  'pincer.plugins.copyId': takes<PluginTarget>(),
  'pincer.plugins.forgetConsent': takes<PluginTarget>(),
  'pincer.plugins.uninstall': takes<PluginTarget>(),
  'pincer.plugins.applyFix': takes<FixTarget>(),
  'pincer.hooks.enable': takes<HookTarget>(),
  'pincer.hooks.allowChanges': takes<HookTarget>(),
  'pincer.hooks.disable': takes<HookTarget>(),
  'pincer.hooks.open': takes<HookTarget>(),
  'pincer.hooks.reveal': takes<HookTarget>(),
  'pincer.ask.explain': takes<unknown>(),
  'pincer.ask.fix': takes<unknown>(),
  'pincer.ask.addToChat': takes<unknown>(),
  'pincer.ask.terminal': takes<unknown>(),
  'pincer.tools.explain': takes<ToolTarget>(),
  'pincer.tools.tryCommand': takes<undefined>(),
  'pincer.memory.search': takes<string | undefined>(),
  'pincer.memory.searchKey': takes<MemorySearchKey>(),
  'pincer.memory.sync': takes<undefined>(),
  'pincer.memory.rebuild': takes<undefined>(),
  'pincer.memory.cancel': takes<undefined>(),
  'pincer.memory.showProgress': takes<undefined>(),
  'pincer.memory.openFile': takes<MemoryTarget>(),
  'pincer.memory.forget': takes<MemoryTarget>(),
  'pincer.memory.remember': takes<MemoryTarget>(),
  'pincer.memory.exclude': takes<MemoryTarget>(),
  'pincer.memory.copyPath': takes<MemoryTarget>(),
  'pincer.checkpoints.restore': takes<CheckpointTarget>(),
  'pincer.checkpoints.show': takes<CheckpointTarget>(),
  'pincer.checkpoints.keep': takes<CheckpointTarget>(),
  'pincer.jobs.show': takes<JobTarget>(),
  'pincer.jobs.list': takes<undefined>(),
  'pincer.schedule.add': takes<ScheduledTarget>(),
  'pincer.schedule.edit': takes<ScheduledTarget>(),
  'pincer.schedule.run': takes<ScheduledTarget>(),
  'pincer.schedule.pause': takes<ScheduledTarget>(),
  'pincer.schedule.resume': takes<ScheduledTarget>(),
  'pincer.schedule.remove': takes<ScheduledTarget>(),
  'pincer.schedule.history': takes<ScheduledTarget>(),
  'pincer.schedule.trace': takes<ScheduledTarget>(),
  'pincer.runs.showLast': takes<RunTarget>(),
  'pincer.runs.showCall': takes<CallTarget>(),
  'pincer.fix.allow-conversation-access': takes<FixTarget>(),
  'pincer.fix.allow-prompt-injection': takes<FixTarget>(),
  'pincer.fix.enable-plugin': takes<FixTarget>(),
  'pincer.fix.disable-plugin': takes<FixTarget>(),
  'pincer.fix.choose-slot': takes<FixTarget>(),
  'pincer.fix.allow-registrations': takes<FixTarget>(),
  'pincer.fix.configure-plugin': takes<FixTarget>(),
  'pincer.fix.reload-plugin': takes<FixTarget>(),
  'pincer.models.add': takes<unknown>(),
  'pincer.models.signIn': takes<undefined>(),
  'pincer.models.editPrice': takes<ModelTarget>(),
  'pincer.gateway.start': takes<undefined>(),
  'pincer.gateway.stop': takes<undefined>(),
  'pincer.gateway.copyToken': takes<undefined>(),
  'pincer.gateway.copyMcpSetup': takes<undefined>(),
  'pincer.gateway.revokeMcpToken': takes<undefined>(),
  'pincer.gateway.revokeBrowser': takes<undefined>(),
  'pincer.gateway.copyAddress': takes<AddressTarget>(),
  'pincer.gateway.openAddress': takes<AddressTarget>(),
  'pincer.gateway.showRequests': takes<undefined>(),
  'pincer.channels.show': takes<undefined>(),
  'pincer.channels.approve': takes<PairingTarget>(),
  'pincer.channels.approveOwner': takes<PairingTarget>(),
  'pincer.channels.deny': takes<PairingTarget>(),
  'pincer.channels.unpair': takes<undefined>(),
  'pincer.channels.read': takes<ConversationTarget>(),
  'pincer.channels.answer': takes<ConversationTarget>(),
  'pincer.channels.takeOver': takes<ConversationTarget>(),
  'pincer.channels.handBack': takes<ConversationTarget>(),
  'pincer.channels.mute': takes<ConversationTarget>(),
  'pincer.channels.unmute': takes<ConversationTarget>(),
  'pincer.channels.restart': takes<AccountTarget>(),
  'pincer.mcp.add': takes<McpTarget>(),
  'pincer.mcp.review': takes<McpTarget>(),
  'pincer.mcp.restart': takes<McpTarget>(),
  'pincer.mcp.stop': takes<McpTarget>(),
  'pincer.mcp.showLog': takes<McpTarget>(),
  'pincer.mcp.open': takes<McpTarget>(),
  'pincer.mcp.remove': takes<McpTarget>(),
  'pincer.config.openUser': takes<undefined>(),
  'pincer.config.openWorkspace': takes<undefined>(),
  'pincer.log.show': takes<undefined>(),
} satisfies Record<FixCommandId, Takes<FixTarget>> & Record<`pincer.${string}`, object>;

export type CommandArguments = {
  readonly [Id in keyof typeof commands]: (typeof commands)[Id] extends Takes<infer Argument>
    ? Argument
    : never;
};

export type CommandId = keyof CommandArguments;

export const commandIds = Object.keys(commands) as readonly CommandId[];
