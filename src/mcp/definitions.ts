// Threat: a server's words reach the model as the description of a tool. They give it orders, hide them in characters that nobody sees,
// borrow the name of another tool, or change after a person has read them. So what is agreed to is the definition as the server sent
// it, to the last field; whatever differs later is withdrawn; and what looks like such a trick is shown before anybody agrees.
import { createHash } from 'node:crypto';
import { editDistance } from '../base/editDistance.ts';
import { isRecord, isTooDeep, jsonSize, stableStringify } from '../base/json.ts';
import { hasHiddenCharacters, inertLine } from '../base/text.ts';
import { readParamHeaders } from './paramHeaders.ts';
import { skeleton } from './skeleton.ts';
import type { JsonSchema } from '../contracts/jsonTypes.ts';
import { findChanges } from '../hooks/findChanges.ts';

/** A tool as its server defines it. */
export interface McpTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** SHA-256 over everything that the server sent of it. */
  readonly hash: string;
  /** Everything that the server sent of it. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly isDestructive: boolean;
}

export interface ReadTools {
  readonly tools: readonly McpTool[];
  /** What was left out and why, one sentence each. */
  readonly problems: readonly string[];
}

const maxTools = 1_000;
const maxDefinitionChars = 64_000;
/** Of one as people read it: what lies deep in it stands far in. */
const maxShownChars = 4 * maxDefinitionChars;

/** Reads what a server listed. What is malformed, too large or there twice is left out. Pure. */
export function readTools(listed: readonly unknown[]): ReadTools {
  const tools = new Map<string, McpTool>();
  const problems: string[] = [];
  for (const value of listed.slice(0, maxTools)) {
    const read = readTool(value);
    if (typeof read === 'string') problems.push(read);
    else if (tools.has(read.name))
      problems.push(`It lists ${inertLine(read.name, 80)} twice; the first one counts.`);
    else tools.set(read.name, read);
  }
  if (listed.length > maxTools)
    problems.push(`It lists ${listed.length} tools; those after ${maxTools} are left out.`);
  return { tools: [...tools.values()], problems };
}

const noObject = 'One of its tools is no object, or nested too deep.';

function readTool(value: unknown): McpTool | string {
  if (!isRecord(value)) return noObject;
  const { name, description, inputSchema, annotations } = value;
  if (typeof name !== 'string' || name.trim() === '' || name.length > 128)
    return 'One of its tools has no name, or one of more than 128 characters.';
  const shown = inertLine(name, 80);
  const tooLong = `The definition of ${shown} is longer than ${maxDefinitionChars} characters.`;
  // Before anything walks through all of it, which takes seconds of the window where it is far too long.
  if (jsonSize(value, maxDefinitionChars) > maxDefinitionChars) return tooLong;
  if (isTooDeep(value)) return noObject;
  if (!isRecord(inputSchema)) return `The tool ${shown} has no schema for its arguments.`;
  if (
    JSON.stringify(value).length > maxDefinitionChars ||
    JSON.stringify(value, undefined, 2).length > maxShownChars
  )
    return tooLong;
  const headers = readParamHeaders(inputSchema);
  if (typeof headers === 'string') return `The tool ${shown} is left out: ${headers}.`;
  const text = stableStringify(value);
  return {
    name,
    description: typeof description === 'string' ? description : '',
    inputSchema,
    hash: createHash('sha256').update(text).digest('hex'),
    raw: value,
    isDestructive: isRecord(annotations) && annotations['destructiveHint'] === true,
  };
}

/** Names a whole list of tools in one word; their order means nothing. Pure. */
export function hashTools(tools: readonly McpTool[]): string {
  const hashes = tools.map(({ name, hash }) => `${name}\n${hash}`).sort();
  return createHash('sha256').update(hashes.join('\n')).digest('hex');
}

/** How a server's tools differ from those that were agreed to. */
export interface ToolChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly name: string; readonly lines: readonly string[] }[];
}

/** `without` are names of tools that are kept from agents: nothing of them is a change. Pure. */
export function compareTools(
  agreed: readonly McpTool[],
  now: readonly McpTool[],
  without: readonly string[] = [],
): ToolChanges {
  const before = new Map(agreed.map((tool) => [tool.name, tool]));
  const after = new Map(now.map((tool) => [tool.name, tool]));
  return {
    added: now.map(({ name }) => name).filter((name) => !before.has(name) && !without.includes(name)),
    removed: agreed.map(({ name }) => name).filter((name) => !after.has(name)),
    changed: now.flatMap((tool) => {
      const old = before.get(tool.name);
      if (old === undefined || old.hash === tool.hash) return [];
      const lines = findChanges(old.raw, tool.raw, false).map(
        ({ path, before: was = 'nothing', after: is = 'nothing' }) => `${path}: ${was} → ${is}`,
      );
      return [{ name: tool.name, lines }];
    }),
  };
}

/** True where nothing differs. */
export function isUnchanged({ added, removed, changed }: ToolChanges): boolean {
  return added.length + removed.length + changed.length === 0;
}

/** What else an agent has, as far as names may be borrowed. */
export interface KnownNames {
  /** Tools of Pincer and of plugins. */
  readonly tools: readonly string[];
  /** Other servers, and their tools by their own names. */
  readonly servers: readonly { readonly name: string; readonly tools: readonly string[] }[];
}

/** Phrases that speak to a model rather than say what a tool does. Each is shown with what it matched; none decides anything. */
const instructions: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,60}\b(?:instructions?|rules?|prompts?|messages?)\b/iu,
  /<\/?(?:important|system|instructions?|secret|hidden|assistant|user)\b[^>]{0,40}>/iu,
  /\b(?:do not|don't|never|without)\b[^.\n]{0,30}\b(?:tell|telling|mention|inform|informing|reveal|show|ask|asking)\b[^.\n]{0,30}\b(?:user|human|person|anyone)\b/iu,
  /\b(?:before|after|when|whenever|prior to)\b[^.\n]{0,40}\b(?:using|calling|call|use|invoking)\b[^.\n]{0,30}\b(?:this|any|other|every)\b[^.\n]{0,20}\btools?\b/iu,
  /\byou (?:must|have to|should) (?:always|first|also|never)\b/iu,
  /\binstead of\b[^.\n]{0,30}\btools?\b/iu,
  /(?:~\/\.|\.ssh\b|id_rsa|id_ed25519|\.env\b|\.aws\b|mcp\.json|credentials file|private keys?\b|seed phrase)/iu,
  /\b(?:conversation|chat) (?:history|so far)\b|\bsystem prompt\b/iu,
];

/**
 * What a person should see before agreeing to each of a server's tools, one sentence each. Nothing is left out because of it. It reads every
 * word of a stranger by many patterns, so other work goes on between two tools.
 */
export async function findToolWarnings(
  tools: readonly McpTool[],
  known: KnownNames,
): Promise<readonly (readonly string[])[]> {
  const others = [...known.tools, ...known.servers.flatMap((server) => server.tools)];
  const alike = new Map<string, string[]>();
  for (const name of new Set([...others, ...tools.map((tool) => tool.name)])) {
    const looks = skeleton(name);
    alike.set(looks, [...(alike.get(looks) ?? []), name].slice(0, 2));
  }
  // Names that are plain words are no mention of a tool.
  const telling = others.filter((name) => name.length > 3 && /[_-]/u.test(name));
  const warnings: (readonly string[])[] = [];
  for (const tool of tools) {
    const twin = others.includes(tool.name)
      ? tool.name
      : alike.get(skeleton(tool.name))?.find((name) => name !== tool.name);
    warnings.push(warningsOf(tool, telling, twin));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return warnings;
}

function warningsOf(tool: McpTool, telling: readonly string[], twin: string | undefined): readonly string[] {
  const texts = stringsOf(tool.raw);
  const all = texts.join('\n');
  const spoken = instructions.flatMap((pattern) => pattern.exec(all)?.[0] ?? []);
  const words = new Set(all.toLowerCase().match(/[\w-]+/gu));
  const named = telling.filter((name) => name !== tool.name && words.has(name.toLowerCase()));
  return [
    ...(texts.some(hasHiddenCharacters) ? ['It holds characters that nobody sees.'] : []),
    ...spoken.map((text) => `It speaks to the model: “${inertLine(text, 120)}”.`),
    ...(named.length === 0 ? [] : [`It names other tools: ${named.slice(0, 5).join(', ')}.`]),
    ...(twin === undefined
      ? []
      : [`Its name is that of another tool, ${inertLine(twin, 80)}, or looks like it.`]),
    ...(tool.description.length > 2_000
      ? [`Its description has ${tool.description.length} characters.`]
      : []),
    ...(tool.isDestructive ? ['The server says that it may destroy something: it asks every time.'] : []),
  ];
}

/** A server whose name passes for that of another one. Pure. */
export function findLookAlike(name: string, others: readonly string[]): string | undefined {
  return others.find(
    (each) =>
      each !== name &&
      (skeleton(each) === skeleton(name) ||
        (Math.min(each.length, name.length) > 4 &&
          editDistance(each.toLowerCase(), name.toLowerCase()) === 1)),
  );
}

/** Every text in it, names of fields too. Pure. */
export function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...stringsOf(each)]);
}
