import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { ownerId } from '../../tools/describeOwner.ts';
import type { HiddenTool, ToolCatalog } from '../../tools/catalog.ts';
import type { ToolExplanation } from '../../tools/policy/explainTool.ts';

/** A row of the Tools view. */
export type ToolRow =
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic }
  /** Tools of one plugin, or of Pincer itself where there is no id. */
  | { readonly kind: 'owner'; readonly pluginId?: string; readonly tools: readonly ToolExplanation[] }
  | { readonly kind: 'hidden'; readonly tools: readonly ToolExplanation[] }
  | { readonly kind: 'tool'; readonly toolName: string; readonly explained: ToolExplanation };

/** Problems, what an agent has by owner, then what is hidden. Pure. */
export function planToolRows(catalog: ToolCatalog): readonly ToolRow[] {
  const problems = catalog.diagnostics().map((diagnostic): ToolRow => ({ kind: 'problem', diagnostic }));
  const offered = catalog.tools().flatMap((tool) => explain(catalog, tool));
  const owners = new Set(catalog.tools().map(pluginOf));
  const hidden = catalog.hidden().flatMap((each) => explain(catalog, each));
  return [
    ...problems,
    ...[...owners].map((pluginId): ToolRow => {
      const tools = offered.filter(({ tool }) => pluginOf(tool) === pluginId);
      return { kind: 'owner', ...(pluginId === undefined ? {} : { pluginId }), tools };
    }),
    ...(hidden.length === 0 ? [] : [{ kind: 'hidden', tools: hidden } as const]),
  ];
}

export function childRows(row: ToolRow): readonly ToolRow[] {
  if (row.kind !== 'owner' && row.kind !== 'hidden') return [];
  return row.tools.map((explained) => ({ kind: 'tool', toolName: explained.tool.name, explained }));
}

/** One of a name: two plugins may fight over it, and only one of their tools is offered. */
function explain(catalog: ToolCatalog, wanted: AgentTool | HiddenTool): readonly ToolExplanation[] {
  const isOffered = 'prepare' in wanted;
  return catalog
    .explain(wanted.name)
    .filter(({ tool, hidden }) => (isOffered ? tool === wanted : hidden === wanted));
}

function pluginOf({ owner }: Pick<AgentTool, 'owner'>): string | undefined {
  return owner.kind === 'core' ? undefined : ownerId(owner);
}
