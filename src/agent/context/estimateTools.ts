import type { ToolDefinition } from '../../contracts/tool.ts';
import { estimateTokens } from './estimateTokens.ts';

/** What servers write around a tool. */
const toolOverhead = 10;

/** Tokens of one tool as a model is told of it, estimated. Pure. */
export function estimateTool({ name, description, parameters }: ToolDefinition): number {
  return (
    toolOverhead +
    estimateTokens(name) +
    estimateTokens(description) +
    estimateTokens(JSON.stringify(parameters))
  );
}

/** Tokens of all tools of a request, estimated. Pure. */
export function estimateTools(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => sum + estimateTool(tool), 0);
}
