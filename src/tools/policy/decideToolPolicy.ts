import type { AgentTool } from '../../contracts/tool.ts';
import { PincerError } from '../../base/errors.ts';
import { compileGlob } from '../compileGlob.ts';
import { toolAliases, toolGroups } from './toolGroups.ts';

/** One place that says which tools may be used: the config, later a profile, an agent, a sandbox (rulings T1). */
export interface PolicyLayer {
  /** How people know it: `tools in ~/.pincer/config.jsonc`. */
  readonly label: string;
  /** Names, globs, plugin ids, `group:…`. Empty or missing: every tool. */
  readonly allow?: readonly string[];
  /** The same; wins over `allow`. */
  readonly deny?: readonly string[];
  /** True where the user wrote it; a layer of anybody else only takes away (rulings T6). */
  readonly isUser?: boolean;
}

export type PolicyTool = Pick<AgentTool, 'name' | 'owner' | 'optional'>;

/**
 * Why the layers hide a tool, or undefined where they don't. Layers are joined by "and"; an optional tool must also be
 * allowed by name, glob, plugin id or `group:plugins` in a layer of the user (rulings T1, T9). Pure.
 */
export function decideToolPolicy(tool: PolicyTool, layers: readonly PolicyLayer[]): string | undefined {
  for (const { label, allow = [], deny = [] } of layers) {
    const denied = deny.find((entry) => entryMatches(entry, tool));
    if (denied !== undefined) return `denied by "${denied}" in ${label}`;
    const isAllowed = allow.length === 0 || allow.some((entry) => entryMatches(entry, tool));
    if (!isAllowed) return `not in the allow list of ${label}`;
  }
  const isNamed = layers.some(
    ({ allow = [], isUser }) => isUser === true && allow.some((entry) => entryMatches(entry, tool)),
  );
  return tool.optional && !isNamed
    ? 'optional: add its name or its plugin to tools.allow to use it'
    : undefined;
}

/** True where an entry of a policy means this tool. */
export function entryMatches(entry: string, { name, owner }: PolicyTool): boolean {
  const wanted = normalise(entry);
  const own = normalise(name);
  if (owner.kind === 'plugin' && (wanted === 'group:plugins' || wanted === owner.pluginId.toLowerCase())) {
    return true;
  }
  return toolGroups[wanted]?.includes(own) === true || wanted === own || globMatches(wanted, own);
}

function normalise(entry: string): string {
  const lower = entry.trim().toLowerCase();
  return toolAliases[lower] ?? lower;
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
