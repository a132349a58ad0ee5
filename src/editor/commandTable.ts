/**
 * Every command Pincer contributes and the argument it takes. `package.json` holds titles, icons and menus; a test compares
 * the two. `registerCommand` gives each handler its argument's type.
 */
export interface CommandArguments {
  'pincer.chat.open': string | undefined;
  'pincer.session.new': undefined;
  'pincer.turn.resume': undefined;
  'pincer.status.show': undefined;
  'pincer.approvals.allowOnce': ApprovalTarget;
  'pincer.approvals.allowAlways': ApprovalTarget;
  'pincer.approvals.deny': ApprovalTarget;
  'pincer.approvals.showDiff': ApprovalTarget;
  'pincer.approvals.revokeGrant': { readonly grantId: string } | undefined;
  'pincer.review.accept': unknown;
  'pincer.review.reject': unknown;
  'pincer.plugins.enable': PluginTarget;
  'pincer.plugins.disable': PluginTarget;
  'pincer.plugins.reload': PluginTarget;
  'pincer.plugins.reloadAll': undefined;
  'pincer.plugins.openSource': PluginTarget;
  'pincer.models.add': unknown;
  'pincer.config.openUser': undefined;
  'pincer.config.openWorkspace': undefined;
  'pincer.log.show': undefined;
}

/** A tree row, the argument of a link, or nothing: then the user picks one. */
export type ApprovalTarget = { readonly approvalId: string } | undefined;
export type PluginTarget = { readonly pluginId: string } | undefined;

export type CommandId = keyof CommandArguments;

/** The ids as values; the type makes a missing or misspelt one a compile error. */
export const commandIds = Object.keys({
  'pincer.chat.open': 0,
  'pincer.session.new': 0,
  'pincer.turn.resume': 0,
  'pincer.status.show': 0,
  'pincer.approvals.allowOnce': 0,
  'pincer.approvals.allowAlways': 0,
  'pincer.approvals.deny': 0,
  'pincer.approvals.showDiff': 0,
  'pincer.approvals.revokeGrant': 0,
  'pincer.review.accept': 0,
  'pincer.review.reject': 0,
  'pincer.plugins.enable': 0,
  'pincer.plugins.disable': 0,
  'pincer.plugins.reload': 0,
  'pincer.plugins.reloadAll': 0,
  'pincer.plugins.openSource': 0,
  'pincer.models.add': 0,
  'pincer.config.openUser': 0,
  'pincer.config.openWorkspace': 0,
  'pincer.log.show': 0,
} satisfies Record<CommandId, 0>) as readonly CommandId[];
