import type { ToolDefinition } from '../../contracts/tool.ts';

/** Ends every answer in words: nobody should take a search for an AI. */
export const closingLine =
  '*Built-in model: search and commands, no AI. Add a model with “Pincer: Add Model…”.*';

const examples: readonly { readonly tool: string; readonly line: string }[] = [
  { tool: 'read', line: '`read README.md` or `read README.md:10-20`' },
  { tool: 'ls', line: '`list` or `list docs`' },
  { tool: 'glob', line: '`find **/*.md`' },
  { tool: 'grep', line: '`search TODO` looks through all files' },
  { tool: 'write', line: '`write notes.md: some text` – you see the change before it is made' },
];

/** What the model can do here, as a list; only commands whose tool is offered. */
export function abilities(tools: readonly ToolDefinition[]): string {
  const offered = examples.filter((example) => tools.some((tool) => tool.name === example.tool));
  const lines = [
    'a question, such as `How do I add a plugin?`, searches the markdown of this workspace',
    ...offered.map((example) => example.line),
    ...(tools.length === 0 ? [] : ['`/tool NAME {"key": "value"}` calls any tool by its name']),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

/** The answer to a greeting or to `help`, as paragraphs. */
export function helpText(tools: readonly ToolDefinition[]): string[] {
  return [
    "I am Pincer's built-in model. I am not an AI: I search this workspace and carry out plain commands, through the same tools, plugins and approvals that an AI model uses.",
    abilities(tools),
  ];
}
