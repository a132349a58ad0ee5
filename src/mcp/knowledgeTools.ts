import { z } from 'zod';
import { describeDiagnostic } from '../base/describeDiagnostic.ts';
import { inertText, truncate } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool, ToolResult } from '../contracts/tool.ts';
import { createCoreTool, textResult } from '../tools/core/coreTool.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { describeVerdict } from '../tools/policy/describeVerdict.ts';
import type { ToolExplanation } from '../tools/policy/explainTool.ts';
import { wrapUntrusted } from '../tools/core/web/wrapUntrusted.ts';
import { knowledgeTools } from '../tools/policy/toolGroups.ts';

export interface KnowledgeDeps {
  readonly layout: () => WorkspaceLayout;
  /** What the policy says about a name. */
  readonly explain: (name: string) => readonly ToolExplanation[];
  readonly plugins: () => readonly {
    readonly id: string;
    readonly status: string;
    readonly reason: string;
  }[];
  readonly servers: () => readonly { readonly name: string; readonly state: string }[];
  readonly diagnostics: () => readonly Diagnostic[];
}

const maxChars = 16_000;
const toolSchema = z.strictObject({ name: z.string().describe('Name of the tool.') });

/** What Pincer knows of itself, for clients of other programs; its own agents have no need of them. */
export function createKnowledgeTools(deps: KnowledgeDeps): readonly AgentTool[] {
  const common = { mayWrite: false, paths: () => [] };
  const [explainName, doctorName] = knowledgeTools;
  return [
    createCoreTool(
      {
        ...common,
        name: explainName,
        label: 'Explain a tool',
        description:
          'Says whether an agent of Pincer has a tool, and what each layer of the policy says about it.',
        schema: toolSchema,
        target: ({ name }) => name,
        prepare: ({ name }) => toPrepared(() => describeTool(deps.explain(name), name)),
      },
      deps.layout,
    ),
    createCoreTool(
      {
        ...common,
        name: doctorName,
        label: 'Examine plugins',
        description: 'Says which plugins and MCP servers of Pincer run, and what is wrong.',
        schema: z.strictObject({}),
        prepare: () => toPrepared(() => textResult(fenced(examine(deps)))),
      },
      deps.layout,
    ),
  ];
}

/** A call that has no effects. */
function toPrepared(run: () => ToolResult): ReturnType<AgentTool['prepare']> {
  return Promise.resolve({ effects: [], run: () => Promise.resolve(run()) });
}

/** Names, reasons and messages are words of plugins and servers, and a client is an agent that reads them. */
function fenced(text: string): string {
  const kept = truncate(inertText(text), maxChars);
  return wrapUntrusted({
    text: kept,
    source: 'plugins and MCP servers, whose words stand among those of Pincer',
  });
}

function describeTool(found: readonly ToolExplanation[], name: string): ToolResult {
  if (found.length === 0) return { ...textResult(`There is no tool "${name}".`), isError: true };
  return textResult(
    found
      .map(({ tool, hidden, layers }) =>
        [
          `${tool.name}: ${hidden === undefined ? 'agents can use it' : `hidden: ${hidden.reason}`}`,
          ...layers.map((layer) => `${layer.label}: ${describeVerdict(layer)}`),
        ].join('\n'),
      )
      .join('\n\n'),
  );
}

function examine({ plugins, servers, diagnostics }: KnowledgeDeps): string {
  const problems = diagnostics().filter(({ level }) => level !== 'info');
  return [
    ...plugins().map(({ id, status, reason }) => `plugin ${id}: ${status} (${reason})`),
    ...servers().map(({ name, state }) => `MCP server ${name}: ${state}`),
    ...(problems.length === 0 ? ['No problems.'] : problems.map(describeDiagnostic)),
  ].join('\n');
}
