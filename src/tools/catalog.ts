import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool, ToolOwner } from '../contracts/tool.ts';
import type { ParamsValidator } from './createParamsValidator.ts';
import { describeOwner } from './describeOwner.ts';
import { findProtocolFault } from './findProtocolFault.ts';
import { decideToolPolicy, type PolicyLayer } from './policy/decideToolPolicy.ts';
import { explainTool, type ToolExplanation } from './policy/explainTool.ts';
import { folderTools, normaliseToolName, toolGroups, knowledgeTools } from './policy/toolGroups.ts';
import { isRecord } from '../base/json.ts';
import { nearestFirst } from '../base/nearestFirst.ts';
import { entryMatches, type PolicyTool } from './policy/entryMatches.ts';
import { deniedToSubagents, neverForSubagents } from './policy/toolProfiles.ts';

/** A tool that is not offered, and why. */
export interface HiddenTool {
  readonly name: string;
  readonly owner: ToolOwner;
  /** `tool_conflict`, `tool_malformed`, `tool_denied`, `tool_read_only`, `tool_no_folder`, `tool_unavailable`, `tool_left_out` */
  readonly code: string;
  /** Follows the name in a sentence: `denied by "exec" in tools (user config)`. */
  readonly reason: string;
  /** Which layer of the policy hid it, where one did. */
  readonly layer?: string;
}

/** The tools of one run, fixed for it (OpenClaw plugin architecture, Message Processing to LLM Invocation). */
export interface ToolCatalog {
  /** Those a model may call: core tools first, then plugins in their order. */
  tools(): readonly AgentTool[];
  find(name: string): AgentTool | undefined;
  /** Why a tool that is offered may not be called any more. */
  deniedNow(tool: AgentTool): HiddenTool | undefined;
  hidden(): readonly HiddenTool[];
  /** All tools of a name or alias, whatever the case: several where plugins fight over it, none where nobody has it. */
  explain(name: string): readonly ToolExplanation[];
  /** Conflicts, malformed tools and policy entries that mean nothing; not what a policy hides on purpose. */
  diagnostics(): readonly Diagnostic[];
}

export interface ToolCatalogInput {
  readonly core: readonly AgentTool[];
  /** In the order of their plugins; the first of a name counts. */
  readonly plugins: readonly AgentTool[];
  readonly policy: readonly PolicyLayer[];
  /** As it is by now; what it denies on top counts for calls of tools that are offered. Default: it stays. */
  readonly policyNow?: () => readonly PolicyLayer[];
  /** Why the plugin of a tool that is offered may not run by now. Default: it may. */
  readonly pluginOffNow?: (pluginId: string) => string | undefined;
  /** A restricted window: only tools that never change anything. */
  readonly isReadOnly: boolean;
  /** True where no folder is open: the core tools that work on files then have none. */
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
  const hidden = new Map<AgentTool, HiddenTool>();
  const all = [...input.core, ...input.plugins];
  const coreNames = new Set(input.core.map((tool) => tool.name));

  /** Why a tool that is sound can't be used in this run. */
  const findHindrance = (tool: AgentTool): Hindrance | undefined => {
    const denied = decideToolPolicy(tool, policy);
    if (denied !== undefined) return { code: 'tool_denied', ...denied };
    const isCore = tool.owner.kind === 'core';
    if (isWithoutFolder && isCore && folderTools.has(tool.name))
      return { code: 'tool_no_folder', reason: 'no folder is open' };
    if (isReadOnly && tool.mayWrite)
      return { code: 'tool_read_only', reason: 'it may change things and this window is restricted' };
    const unavailable = tool.unavailable?.();
    if (unavailable === undefined) return undefined;
    return { code: tool.isLeftOut === true ? 'tool_left_out' : 'tool_unavailable', reason: unavailable };
  };

  for (const tool of all) {
    const { name, owner } = tool;
    const key = name.toLowerCase();
    const fault = findToolFault(tool, coreNames, validator);
    const earlier = taken.get(key);
    // A hidden tool keeps its name: what a policy denies must not come back from another plugin.
    if (fault === undefined && earlier === undefined) taken.set(key, tool);
    const hindrance: Hindrance | undefined =
      fault !== undefined
        ? { code: 'tool_malformed', reason: fault }
        : earlier !== undefined
          ? { code: 'tool_conflict', reason: `the name is taken by ${describeOwner(earlier.owner)}` }
          : findHindrance(tool);
    if (hindrance === undefined) offered.set(name, tool);
    else hidden.set(tool, { name, owner, ...hindrance });
  }

  const problems = [...hidden.values()].filter(
    ({ code }) => code === 'tool_malformed' || code === 'tool_conflict',
  );
  return {
    tools: () => [...offered.values()],
    find: (name) => offered.get(name),
    deniedNow(tool) {
      const { owner } = tool;
      const off = owner.kind === 'plugin' ? input.pluginOffNow?.(owner.pluginId) : undefined;
      const denied =
        off === undefined
          ? decideToolPolicy(tool, input.policyNow?.() ?? policy)
          : { reason: `${describeOwner(owner)} is off: ${off}` };
      return denied && { name: tool.name, owner: tool.owner, code: 'tool_denied', ...denied };
    },
    hidden: () => [...hidden.values()],
    explain: (name) =>
      all
        .filter((tool) => normaliseToolName(tool.name) === normaliseToolName(name))
        .map((tool) => explainTool(tool, hidden.get(tool), policy)),
    diagnostics: () => [
      ...problems.map(diagnosticOf),
      ...findParamConflicts([...offered.values()]),
      ...findPolicyProblems(policy, all),
    ],
  };
}

type Hindrance = Omit<HiddenTool, 'name' | 'owner'>;

function findToolFault(
  tool: AgentTool,
  coreNames: ReadonlySet<string>,
  validator: ParamsValidator,
): string | undefined {
  // Our own are sound, as `coreSchemas.test.ts` sees; compiling all of them would hold up the first turn.
  if (tool.owner.kind === 'core') return undefined;
  if (!toolName.test(tool.name)) return 'models take only names of 1 to 64 letters, digits, "_" and "-"';
  // A policy entry could not tell the plugin from the tool.
  if (tool.owner.kind === 'plugin' && coreNames.has(tool.owner.pluginId)) {
    return `the id of its plugin is the name of the core tool ${tool.owner.pluginId}`;
  }
  const refused = findProtocolFault(tool.parameters);
  return refused === undefined ? validator.findSchemaFault(tool) : `its parameters ${refused}`;
}

function diagnosticOf({ name, owner, code, reason }: HiddenTool): Diagnostic {
  return {
    level: 'error',
    code,
    message: `The tool "${name}" of ${describeOwner(owner)} is not offered: ${reason}.`,
    ...(owner.kind === 'plugin' ? { pluginId: owner.pluginId } : {}),
  };
}

/**
 * Parameters of one name that have different types in tools of similar purpose: of one plugin or of one group. A model that has
 * learned the one form from the first tool uses it with the second (OpenClaw plugin architecture, Message Processing to LLM
 * Invocation). The tools stay. Pure.
 */
function findParamConflicts(tools: readonly AgentTool[]): readonly Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const family of familiesOf(tools)) {
    const names = new Set(family.flatMap((tool) => Object.keys(propertiesOf(tool))));
    for (const name of names) {
      const conflict = conflictIn(family, name);
      if (conflict !== undefined) found.set(conflict.message, conflict);
    }
  }
  return [...found.values()];
}

function familiesOf(tools: readonly AgentTool[]): readonly (readonly AgentTool[])[] {
  const pluginIds = new Set(tools.map(({ owner }) => (owner.kind === 'plugin' ? owner.pluginId : undefined)));
  const byPlugin = [...pluginIds]
    .filter((id) => id !== undefined)
    .map((id) => tools.filter(({ owner }) => owner.kind === 'plugin' && owner.pluginId === id));
  const byGroup = Object.entries(toolGroups)
    // This one stands for many purposes.
    .filter(([group]) => group !== 'group:openclaw')
    .map(([, names]) => tools.filter((tool) => names.includes(tool.name)));
  return [...byPlugin, ...byGroup].filter((family) => family.length > 1);
}

function conflictIn(family: readonly AgentTool[], name: string): Diagnostic | undefined {
  const typed = family
    .map((tool) => ({ tool, type: typeOf(propertiesOf(tool)[name]) }))
    .filter((each) => each.type !== undefined);
  const [one] = typed;
  const other = typed.find(({ type }) => type !== one?.type);
  if (one?.type === undefined || other?.type === undefined) return undefined;
  const plugin = [one.tool.owner, other.tool.owner].find((owner) => owner.kind === 'plugin');
  return {
    level: 'warn',
    code: 'tool_param_conflict',
    message: `The parameter "${name}" is ${one.type} in ${describeTool(one.tool)} and ${other.type} in ${describeTool(other.tool)}.`,
    hint: 'Models mix the two up; give both one type, or one of them another name.',
    ...(plugin === undefined ? {} : { pluginId: plugin.pluginId }),
  };
}

function describeTool({ name, owner }: AgentTool): string {
  return `the tool "${name}" of ${describeOwner(owner)}`;
}

/** As one word or several, in an order of their own; undefined where the schema names no type. */
function typeOf(schema: unknown): string | undefined {
  const type = isRecord(schema) ? schema['type'] : undefined;
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  const plain = new Set(types.map((each) => (each === 'integer' ? 'number' : each)));
  return plain.size === 0 ? undefined : [...plain].sort().join(' or ');
}

function propertiesOf({ parameters }: AgentTool): Readonly<Record<string, unknown>> {
  const properties = parameters['properties'];
  return isRecord(properties) ? properties : {};
}

/** Entries that match no tool, and allow lists that leave out every core tool without naming one. Pure. */
function findPolicyProblems(
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
