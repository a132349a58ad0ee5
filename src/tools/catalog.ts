import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool, ToolOwner } from '../contracts/tool.ts';
import type { ParamsValidator } from './createParamsValidator.ts';
import { decideToolPolicy, type PolicyLayer } from './policy/decideToolPolicy.ts';
import { findPolicyProblems } from './policy/findPolicyProblems.ts';

/** A tool that is not offered, and why (rulings P10). */
export interface HiddenTool {
  readonly name: string;
  readonly owner: ToolOwner;
  /** `tool_conflict`, `tool_malformed`, `tool_denied`, `tool_read_only`, `tool_no_folder` */
  readonly code: string;
  /** Follows the name in a sentence: `denied by "exec" in the config`. */
  readonly reason: string;
}

/** The tools of one run, fixed for it (seed 000 §2). */
export interface ToolCatalog {
  /** Those a model may call: core tools first, then plugins in their order. */
  tools(): readonly AgentTool[];
  find(name: string): AgentTool | undefined;
  hidden(): readonly HiddenTool[];
  /** Conflicts, malformed tools and policy entries that mean nothing; not what a policy hides on purpose. */
  diagnostics(): readonly Diagnostic[];
}

export interface ToolCatalogInput {
  readonly core: readonly AgentTool[];
  /** In the order of their plugins; the first of a name counts. */
  readonly plugins: readonly AgentTool[];
  readonly policy: readonly PolicyLayer[];
  /** A restricted window: only tools that never change anything. */
  readonly isReadOnly: boolean;
  /** True where no folder is open: core tools then have nothing to work on (rulings P0). */
  readonly isWithoutFolder?: boolean;
  readonly validator: ParamsValidator;
}

/** What every model protocol takes as a function name. */
const toolName = /^[a-zA-Z0-9_-]{1,64}$/u;

/** Combines core and plugin tools into what a model is offered. Whatever is left out has a reason. */
export function createToolCatalog(input: ToolCatalogInput): ToolCatalog {
  const { policy, isReadOnly, isWithoutFolder = false, validator } = input;
  const offered = new Map<string, AgentTool>();
  const taken = new Map<string, AgentTool>();
  const hidden: HiddenTool[] = [];
  const all = [...input.core, ...input.plugins];
  const coreNames = new Set(input.core.map((tool) => tool.name));

  for (const tool of all) {
    const { name, owner } = tool;
    const hide = (code: string, reason: string): void => void hidden.push({ name, owner, code, reason });
    const key = name.toLowerCase();
    const earlier = taken.get(key);
    const denied = decideToolPolicy(tool, policy);
    const fault = findToolFault(tool, coreNames, validator);
    if (fault !== undefined) hide('tool_malformed', fault);
    else if (earlier !== undefined)
      hide('tool_conflict', `the name is taken by ${describeOwner(earlier.owner)}`);
    else {
      // A hidden tool keeps its name: what a policy denies must not come back from another plugin.
      taken.set(key, tool);
      if (denied !== undefined) hide('tool_denied', denied);
      else if (isWithoutFolder && owner.kind === 'core') hide('tool_no_folder', 'no folder is open');
      else if (isReadOnly && tool.mayWrite)
        hide('tool_read_only', 'it may change things and this window is restricted');
      else offered.set(name, tool);
    }
  }

  const problems = hidden.filter(({ code }) => code === 'tool_malformed' || code === 'tool_conflict');
  return {
    tools: () => [...offered.values()],
    find: (name) => offered.get(name),
    hidden: () => hidden,
    diagnostics: () => [...problems.map(diagnosticOf), ...findPolicyProblems(policy, all)],
  };
}

function findToolFault(
  tool: AgentTool,
  coreNames: ReadonlySet<string>,
  validator: ParamsValidator,
): string | undefined {
  if (!toolName.test(tool.name)) return 'models take only names of 1 to 64 letters, digits, "_" and "-"';
  // A policy entry could not tell the plugin from the tool.
  if (tool.owner.kind === 'plugin' && coreNames.has(tool.owner.pluginId)) {
    return `the id of its plugin is the name of the core tool ${tool.owner.pluginId}`;
  }
  return validator.findSchemaFault(tool);
}

/** `Pincer` or `plugin x`. */
export function describeOwner(owner: ToolOwner): string {
  return owner.kind === 'core' ? 'Pincer' : `plugin ${owner.pluginId}`;
}

function diagnosticOf({ name, owner, code, reason }: HiddenTool): Diagnostic {
  return {
    level: 'error',
    code,
    message: `The tool "${name}" of ${describeOwner(owner)} is not offered: ${reason}.`,
    ...(owner.kind === 'plugin' ? { pluginId: owner.pluginId } : {}),
  };
}
