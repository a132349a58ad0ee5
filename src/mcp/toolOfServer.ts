// Threat: what a server answers gives the model orders, floods the conversation, draws over the terminal, passes off something as a
// picture, or reports progress that reads like the program's own words. So a call always asks as one whose effects nobody knows, the answer
// stands in a fence as pages of the web do, and the session counts as one that holds words of strangers.
import { createHash } from 'node:crypto';
import { PincerError, errorMessage } from '../base/errors.ts';
import { isRecord, isTooDeep, jsonSize, parseJson, stableStringify } from '../base/json.ts';
import { inertLine, inertText, truncate } from '../base/text.ts';
import type { ImagePart, TextPart } from '../contracts/message.ts';
import type { AgentTool, ToolResult } from '../contracts/tool.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import { createAnsiStripper } from '../sandbox/createAnsiStripper.ts';
import { imageTypeOf } from '../tools/core/imageTypeOf.ts';
import { fenceChars, wrapUntrusted } from '../tools/core/web/wrapUntrusted.ts';
import type { Progress, ServerCall } from './connection/connection.ts';
import type { McpTool } from './definitions.ts';

/** A call of a tool in a turn. */
export interface TurnCall extends ServerCall {
  /** The id of its run. */
  readonly turn: string;
}

interface ServerToolDeps {
  /** The name the server has here. */
  readonly server: string;
  readonly tool: McpTool;
  /** Names what was agreed to. */
  readonly pin: string;
  readonly timeoutMs: number;
  /** Calls the tool as it was agreed to. @throws PincerError where the server is another one now, or defines it otherwise */
  readonly call: (call: TurnCall) => Promise<unknown>;
  /** Why it can't be called now, as the end of a sentence. */
  readonly unavailable: () => string | undefined;
  readonly taint: SessionTaint;
  readonly redact: (text: string) => string;
  readonly maxResultChars: number;
}

const maxNameChars = 64;
const maxShapeChars = 160;
const maxImages = 8;
const maxImageChars = 7_000_000;
const progressEveryMs = 200;
/** As much of an answer is read at all. */
const maxReadChars = 200_000;
/** Structured content up to this size is looked for in the texts beside it. */
const maxComparedChars = 100_000;

/** `mcp__server__tool`, in the form that models take: other characters become `_`, and a long name ends with a hash of it. Pure. */
export function toolNameOf(server: string, tool: string): string {
  const name = `mcp__${server}__${tool.replace(/[^A-Za-z0-9_-]/gu, '_')}`;
  if (name.length <= maxNameChars && name.endsWith(tool)) return name;
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, 8);
  return `${name.slice(0, maxNameChars - hash.length - 1)}_${hash}`;
}

/** A tool of a server as the pipeline runs it. */
export function createServerTool(deps: ServerToolDeps): AgentTool {
  const { server, tool, pin, timeoutMs } = deps;
  return {
    name: toolNameOf(server, tool.name),
    label: inertLine(`${server}: ${tool.name}`, 60),
    description: tool.description,
    parameters: tool.inputSchema,
    owner: { kind: 'mcp', server },
    optional: false,
    mayWrite: true,
    unavailable: deps.unavailable,
    prepare: (call, params) =>
      Promise.resolve({
        effects: [
          {
            kind: 'server',
            server,
            tool: tool.name,
            text: JSON.stringify(params),
            shape: shapeOf(params),
            pin,
            isDestructive: tool.isDestructive,
          },
        ],
        run: async ({ signal, onUpdate }) => {
          // Even an error brings words of a stranger.
          deps.taint.enter(call.turn.sessionId);
          const onProgress = throttled((progress) => {
            const text = describeProgress(progress);
            if (text !== '') onUpdate({ content: [{ type: 'text', text: deps.redact(text) }] });
          });
          const args = structuredClone(params);
          const { inputSchema } = tool;
          const turn = call.turn.runId;
          const answer = await deps
            .call({ tool: tool.name, turn, args, inputSchema, signal, timeoutMs, onProgress })
            .catch((error: unknown) => {
              throw toCallError(deps, error);
            });
          return toResult(answer, deps);
        },
      }),
  };
}

/** A tool that the user keeps from agents: who calls it by its name is told so, and nothing is known of it but that. */
export function createLeftOutTool(server: string, tool: string): AgentTool {
  return {
    name: toolNameOf(server, tool),
    label: inertLine(`${server}: ${tool}`, 60),
    description: '',
    parameters: { type: 'object' },
    owner: { kind: 'mcp', server },
    optional: false,
    mayWrite: true,
    isLeftOut: true,
    unavailable: () => leftOutReason(server),
    prepare: () => Promise.reject(leftOut(server, tool)),
  };
}

function leftOutReason(server: string): string {
  return `the user left it out of the tools of the MCP server ${server}`;
}

/** A call of a tool that nobody may call any more, or never could. */
export function leftOut(server: string, tool: string): PincerError {
  return new PincerError(
    'tool_left_out',
    `The tool ${toolNameOf(server, tool)} can't be used: ${leftOutReason(server)}.`,
  );
}

/** Names and types of arguments, as a person reads them; undefined where there are too many. Pure. */
function shapeOf(args: Readonly<Record<string, unknown>>): string | undefined {
  const text = shapeText(args, 0);
  return text.length <= maxShapeChars ? text : undefined;
}

function shapeText(value: unknown, depth: number): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    const kinds = [...new Set(value.map((each) => shapeText(each, depth + 1)))].sort();
    return `${kinds.join(' | ') || 'nothing'}[]`;
  }
  if (!isRecord(value)) return typeof value;
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, each]) =>
        `${/^[\w$-]+$/u.test(name) ? name : JSON.stringify(name)}: ${shapeText(each, depth + 1)}`,
    );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** One line of the server's own words behind what it counts. Pure. */
function describeProgress({ progress, total, message }: Progress): string {
  const isNumber = (value: unknown): value is number =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0;
  const count = !isNumber(progress)
    ? ''
    : isNumber(total) && total > 0
      ? `${progress} of ${total}`
      : String(progress);
  const said = typeof message === 'string' ? inertLine(createAnsiStripper()(message), 160) : '';
  return [count, said === '' ? '' : `“${said}”`].filter((part) => part !== '').join(' · ');
}

/** What comes too soon after the last one is dropped. */
function throttled(tell: (progress: Progress) => void): (progress: Progress) => void {
  let last = -Infinity;
  return (progress) => {
    const now = performance.now();
    if (now - last < progressEveryMs) return;
    last = now;
    tell(progress);
  };
}

/** What a server answered, as the pipeline knows results: texts in one fence, pictures that are some, and what is left out by its name. */
function toResult(
  answer: unknown,
  {
    server,
    tool,
    redact,
    maxResultChars,
  }: Pick<ServerToolDeps, 'server' | 'tool' | 'redact' | 'maxResultChars'>,
): ToolResult {
  if (!isRecord(answer)) throw badAnswer(server, tool.name);
  const { content, structuredContent, isError } = answer;
  const items: readonly unknown[] = Array.isArray(content) ? content : [];
  const images: ImagePart[] = [];
  const lines: string[] = [];
  for (const item of items) {
    const image = images.length < maxImages ? imageOf(item) : undefined;
    if (image === undefined) lines.push(textOfItem(item));
    else images.push(image);
  }
  // Servers repeat what is structured as text; where one does not, the model would get nothing of it.
  // Measured first: written with indents, four million items take seconds.
  if (jsonSize(structuredContent, maxReadChars) > maxReadChars)
    lines.push(
      `[Structured content, left out: it has more than ${maxReadChars} characters. Ask for less at a time.]`,
    );
  else if (isTooDeep(structuredContent)) lines.push('[Structured content, left out: it is nested too deep.]');
  else if (isRecord(structuredContent) && !hasIn(lines, structuredContent))
    lines.push(JSON.stringify(structuredContent, undefined, 2));
  const said = lines.join('\n\n');
  // What is cut anyway need not be read.
  const text = redact(plainText(said.slice(0, maxReadChars)));
  const kept = truncate(text, Math.max(200, maxResultChars - fenceChars));
  const note =
    kept.length < text.length || said.length > maxReadChars
      ? `\n[Cut: ${Math.max(text.length, said.length)} characters in all. Ask for less at a time.]`
      : '';
  const part: TextPart = {
    type: 'text',
    text: `${wrapUntrusted({ text: kept === '' ? '[It answered nothing.]' : kept, source: `the tool ${inertLine(tool.name, 80)} of the MCP server ${server}` })}${note}`,
  };
  return {
    content: [part, ...images],
    details: { server, tool: tool.name },
    ...(isError === true ? { isError } : {}),
  };
}

/** Whether one of the texts is this JSON, or has it in the midst of words. */
function hasIn(lines: readonly string[], value: Readonly<Record<string, unknown>>): boolean {
  const compact = JSON.stringify(value);
  // It would be cut as well as its copy, and to look for it in thousands of texts takes minutes.
  if (compact.length > maxComparedChars) return false;
  const pretty = JSON.stringify(value, undefined, 2);
  const stable = stableStringify(value);
  return lines.some((line) => {
    if (line.length < compact.length) return false;
    const said = parseJson(line);
    if (isRecord(said)) return !isTooDeep(said) && stableStringify(said) === stable;
    return line.includes(compact) || line.includes(pretty);
  });
}

/** Without terminal sequences and characters that nobody sees. */
function plainText(text: string): string {
  return inertText(createAnsiStripper()(text));
}

/** A picture that is one by its first bytes, whatever the server calls it. */
function imageOf(item: unknown): ImagePart | undefined {
  if (!isRecord(item) || item['type'] !== 'image') return undefined;
  const { data } = item;
  if (typeof data !== 'string' || data.length > maxImageChars) return undefined;
  const bytes = Buffer.from(data, 'base64');
  const mimeType = imageTypeOf(bytes);
  return mimeType === undefined ? undefined : { type: 'image', data: bytes.toString('base64'), mimeType };
}

function textOfItem(item: unknown): string {
  if (!isRecord(item)) return '[Something that is no content.]';
  const { type, text, resource } = item;
  const name = (value: unknown, max = 300): string =>
    typeof value === 'string' ? inertLine(value, max) : 'unknown';
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : '';
    case 'resource_link':
      return `[Link, not opened: ${name(item['name'], 80)} at ${name(item['uri'])}]`;
    case 'resource': {
      const found = isRecord(resource) ? resource : {};
      return typeof found['text'] === 'string'
        ? `[Resource ${name(found['uri'])}]\n${found['text']}`
        : `[Resource ${name(found['uri'])}, left out: it is no text]`;
    }
    default:
      return `[Content of the kind ${name(type, 40)}, left out]`;
  }
}

function badAnswer(server: string, tool: string): PincerError {
  return new PincerError(
    'mcp_answer_invalid',
    `The MCP server ${server} did not answer the call of ${inertLine(tool, 80)} in the way the protocol says.`,
    { hint: 'This is a fault of the server. Do not repeat the call.' },
  );
}

/** Errors of ours that quote the server, or whom it has people sign in with. */
const quoting: ReadonlySet<string> = new Set([
  'mcp_not_connected',
  'mcp_ended_at_probe',
  'mcp_gone',
  'mcp_sign_in_failed',
  'mcp_sign_in_needed',
]);

/** What a server says of its failure is as strange as what it answers. */
function toCallError({ server, tool, redact }: ServerToolDeps, error: unknown): unknown {
  const own = error instanceof PincerError ? error : undefined;
  if (own !== undefined && !quoting.has(own.code)) return own;
  const said = truncate(redact(plainText(errorMessage(error).slice(0, 10_000))), 1_000);
  return new PincerError(
    own?.code ?? 'mcp_call_failed',
    `The MCP server ${server} failed at ${inertLine(tool.name, 80)}. ${wrapUntrusted({ text: said, source: 'that server' })}`,
    { cause: error, hint: own?.hint ?? 'Change the arguments, or go on without this tool.' },
  );
}
