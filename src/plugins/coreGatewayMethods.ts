/** The gateway's own methods, which no plugin's method takes the place of. */
export const coreGatewayMethods = [
  'connect',
  'health',
  'status',
  'agent',
  'agent.wait',
  'chat.send',
  'chat.abort',
  'chat.history',
  'sessions.list',
  'sessions.pluginPatch',
  'approvals.list',
  'approvals.resolve',
  'channels.restart',
] as const;

/** What is upstream's own administration: methods of these names want `operator.admin`, whatever a plugin says. */
export const adminPrefixes = ['config.', 'exec.approvals.', 'wizard.', 'update.'] as const;

/** What a client may do (OpenClaw documentation, Operator scopes). */
export const gatewayScopes = [
  'operator.read',
  'operator.write',
  'operator.approvals',
  'operator.admin',
] as const;
export type GatewayScope = (typeof gatewayScopes)[number];
