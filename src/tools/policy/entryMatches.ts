import { PincerError } from '../../base/errors.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { compileGlob } from '../../base/compileGlob.ts';
import { normaliseToolName, toolGroups } from './toolGroups.ts';

export type PolicyTool = Pick<AgentTool, 'name' | 'owner' | 'optional'>;

/** True where an entry of a policy means this tool: its name or alias, a glob, its plugin, its MCP server or a group. Pure. */
export function entryMatches(entry: string, { name, owner }: PolicyTool): boolean {
  const wanted = normaliseToolName(entry);
  const own = normaliseToolName(name);
  if (owner.kind === 'plugin' && (wanted === 'group:plugins' || wanted === owner.pluginId.toLowerCase())) {
    return true;
  }
  if (
    owner.kind === 'mcp' &&
    (wanted === 'group:mcp' || wanted === `group:mcp:${owner.server.toLowerCase()}`)
  )
    return true;
  return groupOf(wanted).includes(own) || wanted === own || globMatches(wanted, own);
}

/** The entry of an allow list that covers the tool. Whoever may write may also patch: it is the same in another form. */
export function allowingEntry(entries: readonly string[], tool: PolicyTool): string | undefined {
  const direct = entries.find((entry) => entryMatches(entry, tool));
  if (direct !== undefined || tool.owner.kind !== 'core' || tool.name !== 'apply_patch') return direct;
  return entries.find((entry) => entryMatches(entry, { ...tool, name: 'write' }));
}

function groupOf(entry: string): readonly string[] {
  return Object.hasOwn(toolGroups, entry) ? (toolGroups[entry] ?? []) : [];
}

function globMatches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return false;
  try {
    return compileGlob(pattern)([name]);
  } catch (error) {
    if (error instanceof PincerError) return false;
    throw error;
  }
}
