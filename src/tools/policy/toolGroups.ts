/** Names that a policy entry `group:…` stands for; upstream's, with our own file tools in `group:fs`. */
export const toolGroups: Readonly<Record<string, readonly string[]>> = {
  'group:memory': ['memory_search', 'memory_get'],
  'group:web': ['web_search', 'web_fetch'],
  'group:fs': ['read', 'write', 'edit', 'apply_patch', 'ls', 'glob', 'grep'],
  'group:runtime': ['exec', 'process'],
  'group:sessions': [
    'sessions_list',
    'sessions_history',
    'sessions_send',
    'sessions_spawn',
    'subagents',
    'session_status',
  ],
  'group:ui': ['browser', 'canvas'],
  'group:automation': ['cron', 'gateway'],
  'group:messaging': ['message'],
  'group:nodes': ['nodes'],
};

/** Other names that people write for a tool. */
export const toolAliases: Readonly<Record<string, string>> = { bash: 'exec', 'apply-patch': 'apply_patch' };
