// Threat: a tool that was forbidden in one place comes back through another. So the layers are joined by "and", a denial
// beats every allowance in its layer, and no layer can give back what another took away.
import { allowingEntry, entryMatches, type PolicyTool } from './entryMatches.ts';

/** One place that says which tools may be used: a profile, the config, an agent, the sandbox. */
export interface PolicyLayer {
  /** How people find it: `agents.main.tools (user config)`. */
  readonly label: string;
  /** Names, globs, plugin ids, `group:…`. Empty or missing: every tool. */
  readonly allow?: readonly string[];
  /** The same; wins over `allow`. */
  readonly deny?: readonly string[];
  /** Optional tools that are wanted where `allow` limits nothing. */
  readonly reveals?: readonly string[];
  /** True where the user wrote it; a layer of anybody else only takes away. */
  readonly isUser?: boolean;
  /** True for what a file says that was changed while the run goes on; it must want an optional tool by itself. */
  readonly isNewer?: boolean;
  /** The agent around a started one whose layer this is; each of them must want an optional tool by itself. */
  readonly around?: string;
}

/** What one layer says about one tool; `open` where it names neither it nor any limit. */
export type LayerVerdict =
  { readonly kind: 'denies' | 'allows'; readonly entry: string } | { readonly kind: 'omits' | 'open' };

/** Why a policy hides a tool. */
interface ToolDenial {
  /** Follows the name in a sentence: `denied by "exec" in tools (user config)`. */
  readonly reason: string;
  /** The layer's label; missing where the tool is optional and no layer asks for it. */
  readonly layer?: string;
}

/**
 * Why the layers hide a tool, or undefined where they don't. An optional tool must also be asked for by name, glob, plugin
 * id or `group:plugins` in a layer of the user. Pure.
 */
export function decideToolPolicy(tool: PolicyTool, layers: readonly PolicyLayer[]): ToolDenial | undefined {
  for (const layer of layers) {
    const verdict = judgeByLayer(tool, layer);
    const { label } = layer;
    if (verdict.kind === 'denies')
      return { reason: `denied by "${verdict.entry}" in ${label}`, layer: label };
    if (verdict.kind === 'omits') return { reason: `not in the allow list of ${label}`, layer: label };
  }
  return tool.optional && !isWantedByAll(tool, layers)
    ? { reason: 'optional: add its name or its plugin to tools.alsoAllow to use it' }
    : undefined;
}

/** By the run's own layers, and by those of each agent around it; by the config as it was loaded, and as it was changed since. */
function isWantedByAll(tool: PolicyTool, layers: readonly PolicyLayer[]): boolean {
  const voices: readonly Pick<PolicyLayer, 'around' | 'isNewer'>[] = [{}, ...layers];
  return voices.every((voice) =>
    layers.some(
      ({ allow = [], reveals = [], isUser, around, isNewer }) =>
        around === voice.around &&
        isNewer === voice.isNewer &&
        isUser === true &&
        allowingEntry([...allow, ...reveals], tool) !== undefined,
    ),
  );
}

/** What one layer says about a tool. Pure. */
export function judgeByLayer(tool: PolicyTool, { allow = [], deny = [] }: PolicyLayer): LayerVerdict {
  const denying = deny.find((entry) => entryMatches(entry, tool));
  if (denying !== undefined) return { kind: 'denies', entry: denying };
  if (allow.length === 0) return { kind: 'open' };
  const allowing = allowingEntry(allow, tool);
  return allowing === undefined ? { kind: 'omits' } : { kind: 'allows', entry: allowing };
}
