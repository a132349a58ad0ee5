import type { Diagnostic, DiagnosticFix } from '../contracts/diagnostic.ts';
import type { SessionGroup } from './sessions/sessionRows.ts';

/** Remedies that the row of a problem offers. */
export type MenuFixKind = Exclude<
  DiagnosticFix['kind'],
  'show-plugin-changes' | 'forget-plugin' | 'reset-consents' | 'open-file'
>;

/** One command for each of them: a menu entry has one title, and the title says what it does. */
export type FixCommandId = `pincer.fix.${MenuFixKind}`;

/**
 * Every command Pincer contributes and the argument it takes. `package.json` holds titles, icons and menus; a test compares
 * the two. `registerCommand` gives each handler its argument's type.
 */
export interface CommandArguments extends Record<FixCommandId, FixTarget> {
  'pincer.chat.open': string | undefined;
  'pincer.chat.openView': string | undefined;
  'pincer.chat.sendAgain': { readonly message: string } | undefined;
  'pincer.chat.readAloud': undefined;
  'pincer.session.new': undefined;
  'pincer.turn.resume': undefined;
  'pincer.status.show': undefined;
  'pincer.walkthrough.open': undefined;
  'pincer.docs.open': undefined;
  'pincer.sessions.resume': (SessionTarget & { readonly keepsFocus?: boolean }) | undefined;
  'pincer.sessions.openInView': SessionTarget;
  'pincer.sessions.openInPanel': SessionTarget;
  'pincer.sessions.rename': SessionTarget;
  'pincer.sessions.fork': SessionTarget;
  'pincer.sessions.forkTurn': SessionTarget;
  'pincer.sessions.show': SessionTarget;
  'pincer.sessions.export': SessionTarget;
  'pincer.sessions.delete': SessionTarget;
  'pincer.sessions.repair': SessionTarget;
  'pincer.sessions.compact': SessionTarget;
  'pincer.sessions.copyId': SessionTarget;
  'pincer.sessions.search': undefined;
  'pincer.sessions.showMore': { readonly group: SessionGroup } | undefined;
  'pincer.sessions.showSummary': { readonly sessionId: string; readonly entryId: string } | undefined;
  'pincer.sessions.editState': StateTarget;
  'pincer.sessions.clearState': StateTarget;
  'pincer.sessions.key': SessionKey;
  'pincer.prompt.show': SessionTarget;
  'pincer.turn.steer': SessionTarget;
  'pincer.turn.queue': SessionTarget;
  'pincer.turn.stop': SessionTarget;
  'pincer.waiting.show': undefined;
  'pincer.waiting.edit': WaitingTarget;
  'pincer.waiting.remove': WaitingTarget;
  'pincer.waiting.moveUp': WaitingTarget;
  'pincer.waiting.toSteer': WaitingTarget;
  'pincer.waiting.toFollowUp': WaitingTarget;
  'pincer.waiting.send': SessionTarget;
  'pincer.waiting.discard': SessionTarget;
  'pincer.approvals.allowOnce': ApprovalTarget;
  'pincer.approvals.allowAlways': ApprovalTarget;
  'pincer.approvals.deny': ApprovalTarget;
  'pincer.approvals.allowTurn': ApprovalTarget;
  'pincer.approvals.allowSession': ApprovalTarget;
  'pincer.approvals.allowAll': GroupTarget;
  'pincer.approvals.denyWhy': ApprovalTarget;
  'pincer.approvals.allowFromChat': undefined;
  'pincer.approvals.askAgain': ApprovalTarget;
  'pincer.approvals.showDiff': ApprovalTarget;
  'pincer.approvals.showCall': ApprovalTarget;
  'pincer.approvals.revokeGrant': { readonly grantId: string } | undefined;
  'pincer.approvals.setMode': undefined;
  'pincer.approvals.resume': unknown;
  'pincer.approvals.dismiss': { readonly interruptedId: string } | undefined;
  'pincer.approvals.allowFocused': FocusedApproval;
  'pincer.approvals.denyFocused': FocusedApproval;
  'pincer.approvals.revokeFocused': undefined;
  'pincer.review.accept': unknown;
  'pincer.review.reject': unknown;
  'pincer.review.acceptAll': unknown;
  'pincer.review.acceptHunk': unknown;
  'pincer.review.rejectHunk': unknown;
  'pincer.review.acceptFile': unknown;
  'pincer.review.rejectFile': unknown;
  'pincer.review.nextHunk': unknown;
  'pincer.review.previousHunk': unknown;
  'pincer.review.reveal': unknown;
  'pincer.plugins.enable': PluginTarget;
  'pincer.plugins.allowChanges': PluginTarget;
  'pincer.plugins.disable': PluginTarget;
  'pincer.plugins.reload': PluginTarget;
  'pincer.plugins.reloadAll': undefined;
  'pincer.plugins.configure': PluginTarget;
  'pincer.plugins.new': undefined;
  'pincer.plugins.install': undefined;
  'pincer.plugins.develop': PluginTarget;
  'pincer.plugins.stopDeveloping': PluginTarget;
  'pincer.plugins.reveal': PluginTarget;
  'pincer.plugins.openSource': PluginTarget;
  'pincer.plugins.openManifest': PluginTarget;
  'pincer.plugins.openAgentFile': PluginTarget;
  'pincer.plugins.copyId': PluginTarget;
  'pincer.plugins.forgetConsent': PluginTarget;
  'pincer.plugins.uninstall': PluginTarget;
  'pincer.plugins.applyFix': FixTarget;
  'pincer.hooks.enable': HookTarget;
  'pincer.hooks.allowChanges': HookTarget;
  'pincer.hooks.disable': HookTarget;
  'pincer.hooks.open': HookTarget;
  'pincer.hooks.reveal': HookTarget;
  'pincer.ask.explain': unknown;
  'pincer.ask.fix': unknown;
  'pincer.ask.addToChat': unknown;
  'pincer.ask.terminal': unknown;
  'pincer.tools.explain': ToolTarget;
  'pincer.tools.tryCommand': undefined;
  'pincer.memory.search': string | undefined;
  'pincer.memory.searchKey': MemorySearchKey;
  'pincer.memory.sync': undefined;
  'pincer.memory.rebuild': undefined;
  'pincer.memory.cancel': undefined;
  'pincer.memory.showProgress': undefined;
  'pincer.memory.openFile': MemoryTarget;
  'pincer.memory.forget': MemoryTarget;
  'pincer.memory.remember': MemoryTarget;
  'pincer.memory.exclude': MemoryTarget;
  'pincer.memory.copyPath': MemoryTarget;
  'pincer.checkpoints.restore': CheckpointTarget;
  'pincer.checkpoints.show': CheckpointTarget;
  'pincer.checkpoints.keep': CheckpointTarget;
  'pincer.jobs.show': JobTarget;
  'pincer.jobs.list': undefined;
  'pincer.schedule.add': ScheduledTarget;
  'pincer.schedule.edit': ScheduledTarget;
  'pincer.schedule.run': ScheduledTarget;
  'pincer.schedule.pause': ScheduledTarget;
  'pincer.schedule.resume': ScheduledTarget;
  'pincer.schedule.remove': ScheduledTarget;
  'pincer.schedule.history': ScheduledTarget;
  'pincer.schedule.trace': ScheduledTarget;
  'pincer.runs.showLast': RunTarget;
  'pincer.runs.showCall': CallTarget;
  'pincer.models.add': unknown;
  'pincer.models.signIn': undefined;
  'pincer.models.editPrice': ModelTarget;
  'pincer.gateway.start': undefined;
  'pincer.gateway.stop': undefined;
  'pincer.gateway.copyToken': undefined;
  'pincer.gateway.copyMcpSetup': undefined;
  'pincer.gateway.revokeMcpToken': undefined;
  'pincer.gateway.copyAddress': AddressTarget;
  'pincer.gateway.openAddress': AddressTarget;
  'pincer.gateway.showRequests': undefined;
  'pincer.channels.show': undefined;
  'pincer.channels.approve': PairingTarget;
  'pincer.channels.approveOwner': PairingTarget;
  'pincer.channels.deny': PairingTarget;
  'pincer.channels.unpair': undefined;
  'pincer.channels.read': ConversationTarget;
  'pincer.channels.answer': ConversationTarget;
  'pincer.channels.takeOver': ConversationTarget;
  'pincer.channels.handBack': ConversationTarget;
  'pincer.channels.mute': ConversationTarget;
  'pincer.channels.unmute': ConversationTarget;
  'pincer.channels.restart': AccountTarget;
  'pincer.mcp.add': McpTarget;
  'pincer.mcp.review': McpTarget;
  'pincer.mcp.restart': McpTarget;
  'pincer.mcp.stop': McpTarget;
  'pincer.mcp.showLog': McpTarget;
  'pincer.mcp.open': McpTarget;
  'pincer.mcp.remove': McpTarget;
  'pincer.config.openUser': undefined;
  'pincer.config.openWorkspace': undefined;
  'pincer.log.show': undefined;
}

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

export type CommandId = keyof CommandArguments;

/** The ids as values; the type makes a missing or misspelt one a compile error. */
export const commandIds = Object.keys({
  'pincer.chat.open': 0,
  'pincer.chat.openView': 0,
  'pincer.chat.sendAgain': 0,
  'pincer.chat.readAloud': 0,
  'pincer.session.new': 0,
  'pincer.turn.resume': 0,
  'pincer.status.show': 0,
  'pincer.walkthrough.open': 0,
  'pincer.docs.open': 0,
  'pincer.sessions.resume': 0,
  'pincer.sessions.openInView': 0,
  'pincer.sessions.openInPanel': 0,
  'pincer.sessions.rename': 0,
  'pincer.sessions.fork': 0,
  'pincer.sessions.forkTurn': 0,
  'pincer.sessions.show': 0,
  'pincer.sessions.export': 0,
  'pincer.sessions.delete': 0,
  'pincer.sessions.repair': 0,
  'pincer.sessions.compact': 0,
  'pincer.sessions.copyId': 0,
  'pincer.sessions.search': 0,
  'pincer.sessions.showMore': 0,
  'pincer.sessions.showSummary': 0,
  'pincer.sessions.editState': 0,
  'pincer.sessions.clearState': 0,
  'pincer.sessions.key': 0,
  'pincer.prompt.show': 0,
  'pincer.turn.steer': 0,
  'pincer.turn.queue': 0,
  'pincer.turn.stop': 0,
  'pincer.waiting.show': 0,
  'pincer.waiting.edit': 0,
  'pincer.waiting.remove': 0,
  'pincer.waiting.moveUp': 0,
  'pincer.waiting.toSteer': 0,
  'pincer.waiting.toFollowUp': 0,
  'pincer.waiting.send': 0,
  'pincer.waiting.discard': 0,
  'pincer.approvals.allowOnce': 0,
  'pincer.approvals.allowAlways': 0,
  'pincer.approvals.deny': 0,
  'pincer.approvals.allowTurn': 0,
  'pincer.approvals.allowSession': 0,
  'pincer.approvals.allowAll': 0,
  'pincer.approvals.denyWhy': 0,
  'pincer.approvals.allowFromChat': 0,
  'pincer.approvals.askAgain': 0,
  'pincer.approvals.showDiff': 0,
  'pincer.approvals.showCall': 0,
  'pincer.approvals.revokeGrant': 0,
  'pincer.approvals.setMode': 0,
  'pincer.approvals.resume': 0,
  'pincer.approvals.dismiss': 0,
  'pincer.approvals.allowFocused': 0,
  'pincer.approvals.denyFocused': 0,
  'pincer.approvals.revokeFocused': 0,
  'pincer.review.accept': 0,
  'pincer.review.reject': 0,
  'pincer.review.acceptAll': 0,
  'pincer.review.acceptHunk': 0,
  'pincer.review.rejectHunk': 0,
  'pincer.review.acceptFile': 0,
  'pincer.review.rejectFile': 0,
  'pincer.review.nextHunk': 0,
  'pincer.review.previousHunk': 0,
  'pincer.review.reveal': 0,
  'pincer.plugins.enable': 0,
  'pincer.plugins.allowChanges': 0,
  'pincer.plugins.disable': 0,
  'pincer.plugins.reload': 0,
  'pincer.plugins.reloadAll': 0,
  'pincer.plugins.configure': 0,
  'pincer.plugins.new': 0,
  'pincer.plugins.install': 0,
  'pincer.plugins.develop': 0,
  'pincer.plugins.stopDeveloping': 0,
  'pincer.plugins.reveal': 0,
  'pincer.plugins.openSource': 0,
  'pincer.plugins.openManifest': 0,
  'pincer.plugins.openAgentFile': 0,
  'pincer.plugins.copyId': 0,
  'pincer.plugins.forgetConsent': 0,
  'pincer.plugins.uninstall': 0,
  'pincer.plugins.applyFix': 0,
  'pincer.hooks.enable': 0,
  'pincer.hooks.allowChanges': 0,
  'pincer.hooks.disable': 0,
  'pincer.hooks.open': 0,
  'pincer.hooks.reveal': 0,
  'pincer.ask.explain': 0,
  'pincer.ask.fix': 0,
  'pincer.ask.addToChat': 0,
  'pincer.ask.terminal': 0,
  'pincer.tools.explain': 0,
  'pincer.tools.tryCommand': 0,
  'pincer.memory.search': 0,
  'pincer.memory.searchKey': 0,
  'pincer.memory.sync': 0,
  'pincer.memory.rebuild': 0,
  'pincer.memory.cancel': 0,
  'pincer.memory.showProgress': 0,
  'pincer.memory.openFile': 0,
  'pincer.memory.forget': 0,
  'pincer.memory.remember': 0,
  'pincer.memory.exclude': 0,
  'pincer.memory.copyPath': 0,
  'pincer.checkpoints.restore': 0,
  'pincer.checkpoints.show': 0,
  'pincer.checkpoints.keep': 0,
  'pincer.jobs.show': 0,
  'pincer.jobs.list': 0,
  'pincer.schedule.add': 0,
  'pincer.schedule.edit': 0,
  'pincer.schedule.run': 0,
  'pincer.schedule.pause': 0,
  'pincer.schedule.resume': 0,
  'pincer.schedule.remove': 0,
  'pincer.schedule.history': 0,
  'pincer.schedule.trace': 0,
  'pincer.runs.showLast': 0,
  'pincer.runs.showCall': 0,
  'pincer.fix.allow-conversation-access': 0,
  'pincer.fix.allow-prompt-injection': 0,
  'pincer.fix.enable-plugin': 0,
  'pincer.fix.disable-plugin': 0,
  'pincer.fix.choose-slot': 0,
  'pincer.fix.allow-registrations': 0,
  'pincer.fix.configure-plugin': 0,
  'pincer.fix.reload-plugin': 0,
  'pincer.models.add': 0,
  'pincer.models.signIn': 0,
  'pincer.models.editPrice': 0,
  'pincer.gateway.start': 0,
  'pincer.gateway.stop': 0,
  'pincer.gateway.copyToken': 0,
  'pincer.gateway.copyMcpSetup': 0,
  'pincer.gateway.revokeMcpToken': 0,
  'pincer.gateway.copyAddress': 0,
  'pincer.gateway.openAddress': 0,
  'pincer.gateway.showRequests': 0,
  'pincer.channels.show': 0,
  'pincer.channels.approve': 0,
  'pincer.channels.approveOwner': 0,
  'pincer.channels.deny': 0,
  'pincer.channels.unpair': 0,
  'pincer.channels.read': 0,
  'pincer.channels.answer': 0,
  'pincer.channels.takeOver': 0,
  'pincer.channels.handBack': 0,
  'pincer.channels.mute': 0,
  'pincer.channels.unmute': 0,
  'pincer.channels.restart': 0,
  'pincer.mcp.add': 0,
  'pincer.mcp.review': 0,
  'pincer.mcp.restart': 0,
  'pincer.mcp.stop': 0,
  'pincer.mcp.showLog': 0,
  'pincer.mcp.open': 0,
  'pincer.mcp.remove': 0,
  'pincer.config.openUser': 0,
  'pincer.config.openWorkspace': 0,
  'pincer.log.show': 0,
} satisfies Record<CommandId, 0>) as readonly CommandId[];
