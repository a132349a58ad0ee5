// Pincer's MCP client as the protocol's own suite drives it: connects to the address in the last argument, lists the tools and calls each.
import { createNodeHost } from '../../src/host/node/createNodeHost.ts';
import { createInMemoryLog } from '../../src/host/inMemory/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/inMemory/inMemorySecrets.ts';
import { createAddressTransport, openConnection } from '../../src/mcp/connection/index.ts';
import { readQuestion, readTyped, type FieldValue, type ServerAnswer } from '../../src/mcp/serverQuestion.ts';
import { isRecord, parseJson } from '../../src/base/json.ts';
import { readTools, type McpTool } from '../../src/mcp/definitions.ts';
import { createGuardedFetch } from '../../src/net/createGuardedFetch.ts';
import { readProxySettings } from '../../src/net/proxySettings.ts';

const timeoutMs = 10_000;
const address = process.argv.at(-1) ?? '';
const isOlder = (process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '') < '2026';
const host = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
const fetch = createGuardedFetch({
  ...host,
  options: () => ({ proxies: readProxySettings({}), allowProxy: false }),
});

/** Accepts with what the form has filled in. */
function answer(params: unknown): Promise<ServerAnswer> {
  const question = readQuestion('suite', params);
  if (typeof question === 'string' || question.kind !== 'form') return Promise.resolve({ action: 'decline' });
  const content: Record<string, FieldValue> = {};
  for (const field of question.fields) {
    const read = readTyped(field, field.preset ?? '');
    if (typeof read !== 'string' && read.value !== undefined) content[field.name] = read.value;
  }
  return Promise.resolve({ action: 'accept', content });
}

/** A value that fits a schema, as far as the suite's tools need it. */
function sampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return 'x';
  switch (schema['type']) {
    case 'number':
    case 'integer':
      return 5;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(
        Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).map(([name, each]) => [
          name,
          sampleOf(each),
        ]),
      );
    default:
      return 'x';
  }
}

const connection = await openConnection(createAddressTransport(address, { fetch, headers: {}, timeoutMs }), {
  version: '1',
  clock: host.clock,
  connectMs: timeoutMs,
  signal: new AbortController().signal,
  ...(isOlder ? { wire: 'legacy' } : {}),
  answer,
  toolsChanged: () => undefined,
  closed: () => undefined,
  log: (text) => console.error(text),
});
function echoOf({ inputSchema }: McpTool): Readonly<Record<string, unknown>> {
  const other = readTools(listed).tools.find(({ name }) => name !== 'json_schema_echo');
  const properties = isRecord(inputSchema['properties']) ? inputSchema['properties'] : {};
  return Object.fromEntries(Object.keys(properties).map((name) => [name, other?.inputSchema]));
}

const listed = await connection.listTools(AbortSignal.timeout(timeoutMs));
/** The suite says which calls it wants, where they are special. */
const context = parseJson(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const wanted =
  isRecord(context) && Array.isArray(context['toolCalls']) ? (context['toolCalls'] as unknown[]) : [];
const calls = readTools(listed).tools.flatMap((tool) => {
  const given = wanted.filter((each) => isRecord(each) && each['name'] === tool.name);
  // One tool of the suite wants to be given the schema of another as the client has it.
  const sample =
    tool.name === 'json_schema_echo' ? echoOf(tool) : sampleOf({ type: 'object', ...tool.inputSchema });
  return (given.length === 0 ? [sample] : given.map((each) => isRecord(each) && each['arguments'])).map(
    (args) => ({ tool, args }),
  );
});
for (const { tool, args } of calls) {
  try {
    await connection.callTool({
      tool: tool.name,
      inputSchema: tool.inputSchema,
      args: args as Readonly<Record<string, unknown>>,
      signal: AbortSignal.timeout(timeoutMs),
      timeoutMs,
      onProgress: () => undefined,
    });
  } catch (error) {
    console.error(error);
  }
}
await connection.close();
