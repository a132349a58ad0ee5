import { isRecord } from '../base/json.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool } from '../contracts/tool.ts';
import { describeOwner } from './describeOwner.ts';
import { toolGroups } from './policy/toolGroups.ts';

/**
 * Parameters of one name that have different types in tools of similar purpose: of one plugin or of one group. A model that has
 * learned the one form from the first tool uses it with the second (OpenClaw plugin architecture, Message Processing to LLM
 * Invocation). The tools stay. Pure.
 */
export function findParamConflicts(tools: readonly AgentTool[]): readonly Diagnostic[] {
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
