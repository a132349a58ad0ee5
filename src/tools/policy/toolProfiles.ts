import type { ToolProfile } from '../../config/sections/toolPolicySchema.ts';

/** What each profile allows; undefined is no limit (OpenClaw core flow, upstream's first set). */
export const profileTools: Readonly<Record<ToolProfile, readonly string[] | undefined>> = {
  minimal: ['session_status'],
  coding: ['group:fs', 'group:runtime', 'group:sessions', 'group:memory', 'memory_append', 'image', 'skill'],
  messaging: ['group:messaging', 'sessions_list', 'sessions_history', 'sessions_send', 'session_status'],
  full: undefined,
};

/** What an agent never has that another agent has started, whatever the config says (OpenClaw core flow: always denied). */
export const neverForSubagents: readonly string[] = ['gateway', 'cron', 'memory_search', 'sessions_send'];

/** What it has not either, unless the user names it in `tools.subagents.tools.allow` (upstream). */
export const deniedToSubagents: readonly string[] = [
  'agents_list',
  'session_status',
  'memory_get',
  'whatsapp_login',
];

/** The same for one that may start no others. */
export const deniedToLeafSubagents: readonly string[] = [
  ...deniedToSubagents,
  'subagents',
  'sessions_list',
  'sessions_history',
  'sessions_spawn',
];
