import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import type { PolicyLayer } from './decideToolPolicy.ts';
import { entryMatches, type PolicyTool } from './entryMatches.ts';
import { knowledgeTools, normaliseToolName, toolGroups } from './toolGroups.ts';
import { deniedToSubagents, neverForSubagents } from './toolProfiles.ts';

/** Entries that match no tool, and allow lists that leave out every core tool without naming one. Pure. */
export function findPolicyProblems(
  layers: readonly PolicyLayer[],
  tools: readonly PolicyTool[],
): readonly Diagnostic[] {
  return layers.flatMap((layer) => [
    ...[...(layer.allow ?? []), ...(layer.deny ?? []), ...(layer.reveals ?? [])]
      .filter((entry) => !isKnown(entry, tools))
      .map((entry) => unknownEntry(entry, layer.label, tools)),
    ...(hasOnlyPlugins(layer, tools) ? [onlyPlugins(layer.label)] : []),
  ]);
}

/** What upstream has and we do not is no mistake, nor is what only other programs get, nor is a tool of a plugin that is off; only the first can be told apart. */
function isKnown(entry: string, tools: readonly PolicyTool[]): boolean {
  const elsewhere = [
    ...Object.values(toolGroups).flat(),
    ...deniedToSubagents,
    ...neverForSubagents,
    ...knowledgeTools,
  ];
  const named = elsewhere.map((name): PolicyTool => ({ name, owner: { kind: 'core' }, optional: false }));
  const wanted = normaliseToolName(entry);
  const isGroup =
    Object.hasOwn(toolGroups, wanted) || wanted === 'group:plugins' || /^group:mcp(?::|$)/u.test(wanted);
  return isGroup || [...tools, ...named].some((tool) => entryMatches(entry, tool));
}

function hasOnlyPlugins({ allow = [] }: PolicyLayer, tools: readonly PolicyTool[]): boolean {
  const matching = tools.filter((tool) => allow.some((entry) => entryMatches(entry, tool)));
  return matching.length > 0 && matching.every((tool) => tool.owner.kind !== 'core');
}

function unknownEntry(entry: string, label: string, tools: readonly PolicyTool[]): Diagnostic {
  const names = [...new Set([...tools.map((tool) => tool.name), ...Object.keys(toolGroups)])];
  const [nearest] = nearestFirst(entry, names);
  return {
    level: 'warn',
    code: 'tool_policy_unknown',
    message: `"${entry}" in ${label} matches no tool.`,
    hint: `${nearest === undefined ? '' : `Did you mean "${nearest}"? `}Tools of plugins that are off match nothing either.`,
  };
}

function onlyPlugins(label: string): Diagnostic {
  return {
    level: 'warn',
    code: 'tool_policy_only_plugins',
    message: `The allow list of ${label} contains only plugin entries; core tools will not be available.`,
    hint: 'Add "group:fs" or "*" to keep them.',
  };
}
