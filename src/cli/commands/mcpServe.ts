import { Writable } from 'node:stream';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import type { ServedTool } from '../../mcp/server/index.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { describeVerdict } from '../../tools/policy/describeVerdict.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import type { Output } from '../output.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { callOnce } from './callOnce.ts';

/** Those of an agent that everybody gets; more only where the user's config names them. */
const agentTools = ['memory_search', 'memory_get'];

/** `pincer mcp serve`: what Pincer knows, for any client, over standard input and output, until the client goes. */
export async function runMcpServe(options: CliOptions, output: Output): Promise<ExitCode> {
  // What a plugin prints would be read as a message of the protocol.
  return await withRuntime({ ...options, json: true }, output, async (runtime) => {
    const { serveTools } = await import('../../mcp/server/index.ts');
    const serving = serveTools({
      tools: servedTools(runtime),
      input: process.stdin,
      output: new Writable({
        decodeStrings: false,
        write(chunk: string | Buffer, _encoding, done) {
          output.out(String(chunk));
          done();
        },
      }),
      version: '1',
      log: (text) => output.err(`${text}\n`),
    });
    await withInterrupt(async (interrupted) => {
      const stop = new Promise<void>((resolve) => {
        interrupted.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([serving.ended, stop]);
    });
    await serving.close();
    return exitCodes.ok;
  });
}

/** The tools by their names; those of agents as a policy leaves them. */
export function servedTools(runtime: Runtime): readonly ServedTool[] {
  const session = runtime.conversations.create();
  const wanted = [...agentTools, ...runtime.mcp.serves()];
  const offered = runtime.tools.catalogFor(session).tools();
  return [
    ...offered
      .filter(({ name }) => wanted.includes(name))
      .map(({ name, description, parameters, mayWrite }): ServedTool => ({
        name,
        description,
        parameters,
        isReadOnly: !mayWrite,
        call: (args, signal) => callOnce(runtime, { session, name, args, signal }),
      })),
    {
      name: 'tools_explain',
      description:
        'Says whether an agent of Pincer has a tool, and what each layer of the policy says about it.',
      parameters: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Name of the tool.' } },
        required: ['name'],
      },
      isReadOnly: true,
      call: ({ name }) => Promise.resolve(explain(runtime, String(name))),
    },
    {
      name: 'plugins_doctor',
      description: 'Says which plugins and MCP servers of Pincer run, and what is wrong.',
      parameters: { type: 'object', properties: {} },
      isReadOnly: true,
      call: () => Promise.resolve({ text: examine(runtime), isError: false }),
    },
  ];
}

function explain(runtime: Runtime, name: string): { readonly text: string; readonly isError: boolean } {
  const found = runtime.tools.catalogFor(runtime.conversations.create()).explain(name);
  if (found.length === 0) return { text: `There is no tool "${name}".`, isError: true };
  const text = found
    .map(({ tool, hidden, layers }) =>
      [
        `${tool.name}: ${hidden === undefined ? 'an agent has it' : `hidden: ${hidden.reason}`}`,
        ...layers.map((layer) => `${layer.label}: ${describeVerdict(layer)}`),
      ].join('\n'),
    )
    .join('\n\n');
  return { text, isError: false };
}

function examine({ plugins, mcp, workspace }: Runtime): string {
  const problems = workspace.diagnostics().filter(({ level }) => level !== 'info');
  return [
    ...plugins.plugins().map(({ id, status, reason }) => `plugin ${id}: ${status} (${reason})`),
    ...mcp.list().map(({ name, state }) => `MCP server ${name}: ${state}`),
    ...(problems.length === 0 ? ['No problems.'] : problems.map(describeDiagnostic)),
  ].join('\n');
}
