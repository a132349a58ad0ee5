import type { AgentTool, PreparedCall, ToolResult } from '../../../contracts/tool.ts';
import type { NestedRules } from './createNestedRules.ts';

/**
 * A file tool whose result brings the rules of the folders it touched, once for each session. They stand before what the tool
 * says, in the same result: so they pass the same hooks, redaction and cap. A call that fails brings none.
 */
export function withNestedRules(
  tool: AgentTool,
  rules: Pick<NestedRules, 'touch'>,
  maxResultChars: number,
): AgentTool {
  return {
    ...tool,
    async prepare(context, params) {
      const prepared = await tool.prepare(context, params);
      return {
        effects: prepared.effects,
        run: async (run) => {
          const result = await prepared.run(run);
          if (result.isError === true) return result;
          const room = maxResultChars - lengthOf(result);
          const text = await rules.touch(context.sessionId, touchedPaths(prepared), room);
          return text === '' ? result : { ...result, content: [{ type: 'text', text }, ...result.content] };
        },
      };
    },
  };
}

/** Tools whose calls are about single files. */
export const toolsWithNestedRules: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'apply_patch']);

function touchedPaths({ effects }: PreparedCall): readonly string[] {
  return effects.flatMap((effect) =>
    effect.kind === 'read' ? [effect.path] : effect.kind === 'edit' ? [effect.edit.path] : [],
  );
}

function lengthOf({ content }: ToolResult): number {
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}
