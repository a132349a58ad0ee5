import { toServerName } from '../../config/sections/mcpSection.ts';

/**
 * Upstream's names for its own tools, each with the tools of ours that do the same work. An empty list: nothing of ours does, or the chat
 * itself does it.
 */
const counterparts: Readonly<Record<string, readonly string[]>> = {
  ask_user: [],
  read_file: ['read'],
  read_media_file: ['image'],
  write_file: ['write'],
  edit_file: ['edit'],
  glob_files: ['glob', 'ls'],
  grep_content: ['grep'],
  bash_exec: ['exec'],
  bash_output: ['process'],
  kill_process: ['process'],
  search_history: ['sessions_history'],
  spawn_agent: ['sessions_spawn', 'subagents'],
  web_search: ['web_search'],
  web_fetch: ['web_fetch'],
  memory_list: ['memory_search', 'memory_get'],
  delegate_to_url: [],
  todo_write: [],
  skill_load: [],
  invoke_skill: [],
};

/** A patch can do what both of these do: it needs both, and goes with either. */
const patch = { tool: 'apply_patch', does: ['write_file', 'edit_file'] };

/** What a list of names in an agent file stands for. */
interface ToolNames {
  /** Names of tools, ours or a plugin's. */
  readonly tools: readonly string[];
  /** Upstream's whose work nothing here does. */
  readonly idle: readonly string[];
  /** Neither upstream's nor ours; also among `tools`, since a plugin may have it. */
  readonly others: readonly string[];
  /** Rules for some arguments of a tool; they stand for the whole tool. */
  readonly partial: readonly string[];
}

/**
 * Reads a list of names: upstream's `read_file` and `internal--read_file`, `mcp--…`, and our own.
 * @param ours the tools of this program
 * @param purpose what is done with them: to allow takes less, to deny takes more
 */
export function readToolNames(
  said: readonly string[],
  ours: readonly string[],
  purpose: 'allow' | 'deny',
): ToolNames {
  const mcp = said.flatMap((each) => toolOfServer(each) ?? []);
  const plain = said
    .filter((each) => toolOfServer(each) === undefined)
    .map((each) => each.replace(/^(?:internal|custom)--/u, ''));
  const names = [...new Set(plain.map((each) => each.split('--')[0] ?? each))];
  const isNamed = (name: string): boolean => names.includes(name);
  const isPatched = purpose === 'allow' ? patch.does.every(isNamed) : patch.does.some(isNamed);
  const tools = names.flatMap((name) => (ours.includes(name) ? [name] : (counterpartOf(name) ?? [name])));
  return {
    tools: [...new Set([...tools, ...(isPatched ? [patch.tool] : []), ...mcp])],
    idle: names.filter((name) => !ours.includes(name) && counterpartOf(name)?.length === 0),
    others: names.filter((name) => !ours.includes(name) && counterpartOf(name) === undefined),
    partial: plain.filter((each) => each.includes('--')),
  };
}

/** `mcp--tool`, of any server, and `mcp--server--tool`, as they are called here. */
function toolOfServer(said: string): string | undefined {
  const [, server, tool] = /^mcp--(?:(.+?)--)?(.+)$/u.exec(said) ?? [];
  return tool === undefined
    ? undefined
    : `mcp__${server === undefined ? '*' : toServerName(server)}__${tool}`;
}

function counterpartOf(name: string): readonly string[] | undefined {
  return Object.hasOwn(counterparts, name) ? counterparts[name] : undefined;
}
