/** Names that a policy entry `group:…` stands for; upstream's, with our own file tools in `group:fs`. */
const sessions = [
  'sessions_list',
  'sessions_history',
  'sessions_send',
  'sessions_spawn',
  'subagents',
  'session_status',
];
const memory = ['memory_search', 'memory_get'];
const web = ['web_search', 'web_fetch'];
const ui = ['browser', 'canvas'];
const automation = ['cron', 'gateway'];
const fs = ['read', 'write', 'edit', 'apply_patch', 'ls', 'glob', 'grep', 'diagnostics'];
const runtime = ['exec', 'process'];

export const toolGroups: Readonly<Record<string, readonly string[]>> = {
  'group:memory': memory,
  'group:web': web,
  'group:fs': fs,
  'group:runtime': runtime,
  'group:sessions': sessions,
  'group:ui': ui,
  'group:automation': automation,
  'group:messaging': ['message'],
  'group:nodes': ['nodes'],
  'group:agents': ['agents_list'],
  'group:openclaw': [
    ...ui,
    'nodes',
    ...automation,
    'message',
    'agents_list',
    ...sessions,
    ...memory,
    ...web,
    'image',
  ],
};

/** Tools of ours that work on the files of a folder or run in it. */
export const folderTools: ReadonlySet<string> = new Set([...fs, ...runtime, 'image']);

/** Those that other programs get by MCP, beside those of agents. */
export const knowledgeTools = ['tools_explain', 'plugins_doctor'] as const;

/** Other names that people write for a tool. */
const toolAliases: Readonly<Record<string, string>> = { bash: 'exec', 'apply-patch': 'apply_patch' };

/** An entry or a name as it is compared. */
export function normaliseToolName(name: string): string {
  const lower = name.trim().toLowerCase();
  return Object.hasOwn(toolAliases, lower) ? (toolAliases[lower] ?? lower) : lower;
}
