// Pincer's MCP client as the protocol's own suite drives it: connects to the address in the last argument, lists the tools and calls each.
import { createNodeHost } from '../../src/host/node/createNodeHost.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/createInMemorySecrets.ts';
import {
  createAddressTransport,
  createSignIn,
  createSignInFetch,
  openConnection,
} from '../../src/mcp/connection/index.ts';
import { readQuestion, readTyped, type FieldValue, type ServerAnswer } from '../../src/mcp/serverQuestion.ts';
import type { Connection } from '../../src/mcp/connection/connection.ts';
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

/** The suite says which calls it wants, and which client it knows, where they are special. */
const context = parseJson(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const known = isRecord(context) ? context : {};
const signIn = createSignIn({
  ...host,
  ...{ server: 'suite', address, fetch: createSignInFetch(address, fetch) },
  client: clientOf(process.env['MCP_CONFORMANCE_SCENARIO'], known),
  log: (text) => console.error(text),
  // A person who signs in: the page sends the browser back at once.
  open: async (page) => {
    const { headers } = await globalThis.fetch(page, { redirect: 'manual' });
    const back = headers.get('location');
    if (back !== null) await globalThis.fetch(back);
    return back !== null;
  },
});
/** The one that the suite knows: by name and secret, or by the address at which it would be described. */
function clientOf(
  scenario: string | undefined,
  { client_id: id, client_secret: secret }: Readonly<Record<string, unknown>>,
): { readonly client_id: string; readonly client_secret?: string } | undefined {
  if (scenario === 'auth/basic-cimd')
    return { client_id: 'https://conformance-test.local/client-metadata.json' };
  return typeof id === 'string' && typeof secret === 'string'
    ? { client_id: id, client_secret: secret }
    : undefined;
}
const never = new AbortController().signal;
const parts = { fetch, headers: {}, timeoutMs, signed: signIn.signed };
const open = (): Promise<Connection> =>
  openConnection(createAddressTransport(address, parts), {
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
const connection = await signIn.during(open, never);
function echoOf({ inputSchema }: McpTool): Readonly<Record<string, unknown>> {
  const other = readTools(listed).tools.find(({ name }) => name !== 'json_schema_echo');
  const properties = isRecord(inputSchema['properties']) ? inputSchema['properties'] : {};
  return Object.fromEntries(Object.keys(properties).map((name) => [name, other?.inputSchema]));
}

const listed = await signIn.during(() => connection.listTools(AbortSignal.timeout(timeoutMs)), never);
const wanted = Array.isArray(known['toolCalls']) ? (known['toolCalls'] as unknown[]) : [];
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
    const call = {
      tool: tool.name,
      inputSchema: tool.inputSchema,
      args: args as Readonly<Record<string, unknown>>,
      signal: AbortSignal.timeout(timeoutMs),
      timeoutMs,
      onProgress: () => undefined,
    };
    await signIn.during(() => connection.callTool(call), never);
  } catch (error) {
    console.error(error);
  }
}
await connection.close();
