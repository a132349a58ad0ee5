import type { ToolProfile } from '../../config/sections/toolPolicySchema.ts';

/** What each profile allows; undefined is no limit (seed 004, upstream's first set). */
export const profileTools: Readonly<Record<ToolProfile, readonly string[] | undefined>> = {
  minimal: ['session_status'],
  coding: ['group:fs', 'group:runtime', 'group:sessions', 'group:memory', 'memory_append', 'image'],
  messaging: ['group:messaging', 'sessions_list', 'sessions_history', 'sessions_send', 'session_status'],
  full: undefined,
};

/** What an agent never has that another agent has started (seed 004: always denied). */
export const deniedToSubagents: readonly string[] = [
  'gateway',
  'agents_list',
  'whatsapp_login',
  'session_status',
  'cron',
  'memory_search',
  'memory_get',
  'sessions_send',
];

/** The same for one that may start no others. */
export const deniedToLeafSubagents: readonly string[] = [
  ...deniedToSubagents,
  'sessions_list',
  'sessions_history',
  'sessions_spawn',
];
